// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/half_model.h"

#include "core/calibrate/collect_statistics.h"
#include "core/engine/open_model.h"
#include "core/model/op_facts.h"
#include "core/model/value_address.h"
#include "core/onnx/reader.h"
#include "core/pipeline/half_noise.h"
#include "core/pipeline/half_search.h"
#include "core/report/inspect_report.h"
#include "core/report/match_report.h"
#include "core/rules/carry_hits.h"
#include "core/rules/match.h"
#include "core/support/phrases.h"
#include "core/transform/half_ports.h"
#include "core/transform/halve.h"
#include "core/transform/newer_opset.h"
#include "core/transform/pass.h"

#include <chrono>
#include <cmath>

namespace duo {
namespace {

constexpr double kSpareDb = 3; // for other data than those that are measured

struct Magnitudes {
    std::vector<std::optional<float>> largest; // [values]
    std::vector<std::optional<float>> smallest; // [values] nothing where both signs are there as well
};

/// Of all floats of the main graph that are computed or fed.
Result<Magnitudes> magnitudesOf(const Model& model, const Dataset& dataset, int threads, const JobContext& job)
{
    Measurement wanted;
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        const Value& value = model.values[v];
        const bool isComputed = value.producer.valid() || (value.isInput && !value.initializer.valid());
        if (value.region == RegionId(0) && isComputed && value.type.element == ElementType::Float32)
            wanted.values.push_back(value.name);
    }
    Magnitudes found;
    found.largest.resize(model.values.size());
    found.smallest.resize(model.values.size());
    if (wanted.values.empty())
        return found;
    DUO_TRY(statistics, collectStatistics(model, wanted, dataset, {0, dataset.size()}, threads, job));
    for (std::size_t v = 0; v < model.values.size(); ++v) {
        const auto measured = statistics.values.find(addressOf(model, ValueId(v)));
        if (measured == statistics.values.end() || measured->second.elements == 0)
            continue;
        const ValueStatistics& known = measured->second;
        found.largest[v] = known.nonFinite() > 0 || known.finite() == 0
            ? std::numeric_limits<float>::infinity()
            : std::max(std::abs(known.min), std::abs(known.max));
        if (known.min >= 0 || known.max <= 0)
            found.smallest[v] = std::min(std::abs(known.min), std::abs(known.max));
    }
    return found;
}

/// What rules catch in a model that transforms may have made of another one.
Result<RuleHits> hitsOf(const Model& model, const Scopes& scopes, const RuleSet& rules, const HalfOptions& options)
{
    RuleHits hits = matchRules(model, scopes, rules);
    if (options.original != nullptr && options.original != &model)
        hits = carriedHits(
            model, std::move(hits), *options.original, matchRules(*options.original, *options.originalScopes, rules));
    for (const RuleHit& hit : hits.hits) {
        if (!hit.problem.empty())
            return Error{ErrorCode::Usage, "a rule cannot be evaluated: " + hit.problem, ruleText(hit.rule), "mend it"};
    }
    return hits;
}

/// [nodes] why one stays in 32 bits. @param report of what rules catch nothing
Result<std::vector<std::string>> keptNodes(
    const Model& model, const Scopes& scopes, const HalfOptions& options, TransformReport& report)
{
    DUO_TRY(wanted, hitsOf(model, scopes, floatRules(options.rules), options));
    for (const RuleHit& hit : wanted.hits) {
        if (hit.rule.enabled && hit.nodes.empty() && hit.gone == 0)
            report.keptNothing.push_back(unmatchedText(hit.rule, hit));
    }
    std::vector<std::string> kept = keptInFloat32(wanted, model.nodes.size());
    DUO_TRY(hits, hitsOf(model, scopes, options.keep, options));
    for (const NodeId node : ignoredNodes(hits))
        kept[node.index] = "it is to stay as it is";
    return kept;
}

/// The value that a DequantizeLinear gives back, rounded to codes; invalid where something else is between.
ValueId roundedValue(const Model& model, const Node& node)
{
    if (node.opType != "DequantizeLinear" || !node.domain.empty() || node.region != RegionId(0) || node.inputs.empty())
        return {};
    const NodeId producer = node.inputs.front().valid() ? model.value(node.inputs.front()).producer : NodeId();
    if (!producer.valid())
        return {};
    const Node& quantizer = model.node(producer);
    const bool isPair = quantizer.opType == "QuantizeLinear" && quantizer.domain.empty()
        && std::equal(quantizer.inputs.begin() + 1, quantizer.inputs.end(), node.inputs.begin() + 1, node.inputs.end());
    return isPair ? quantizer.inputs.front() : ValueId();
}

/// The same where nothing is rounded to codes but weights. 16 bits move a value that is near the edge of a code to the
/// next one, which says nothing of 16 bits: any change that small does.
Result<std::shared_ptr<const Model>> withoutCodes(const std::shared_ptr<const Model>& model, const JobContext& job)
{
    EditList edits;
    for (const Node& node : model->nodes) {
        const ValueId rounded = roundedValue(*model, node);
        if (!rounded.valid() || node.outputs.empty() || !node.outputs.front().valid())
            continue;
        for (const Use& use : model->value(node.outputs.front()).uses) {
            if (model->node(use.node).region == RegionId(0))
                edits.inputs.push_back({use.node, use.port, model->value(rounded).name});
        }
    }
    if (edits.inputs.empty())
        return model;
    return convertedModel(model, edits, {}, job);
}

std::string costText(const NodeRange& range, double leastDb)
{
    const std::string who
        = range.count == 1 ? "it alone" : "it and " + counted(range.count - 1, "neighbour", "neighbours");
    if (!std::isfinite(range.noise))
        return "with " + who + " in 16 bits outputs are not finite";
    return "with " + who + " in 16 bits outputs keep " + fixedText(-10 * std::log10(range.noise), 0)
        + " dB; with all nodes together they are to keep " + fixedText(leastDb, 0);
}

/// What stays in 32 bits, with the reason, and the decibels that outputs keep then.
struct Kept {
    std::vector<std::string> why; // [nodes]
    double sqnrDb = 0;
};

/// What the engine says of nodes in 16 bits is said of no file: the one that these were made of it opened before. The
/// end of its process is told as it is where it lacked memory or a file, which says nothing of 16 bits.
Error ofHalves(Error error, const Model& model)
{
    if (error.code != ErrorCode::EngineFailed && error.code != ErrorCode::EngineEnded)
        return error;
    if (error.code == ErrorCode::EngineEnded) {
        const std::string ending = error.whatToDo.substr(0, error.whatToDo.find(';'));
        if (ending == "signal SIGKILL" || ending == "signal SIGBUS")
            return error;
        error.what += ", " + ending;
    }
    error.where = "not '" + model.path.string() + "', but what was made of it in 16 bits, which is not written";
    error.whatToDo
        = "keep scopes of it in 32 bits (--keep), have bfloat16 written, which is not tried in the engine, or "
          "try another version of ONNX Runtime";
    return error;
}

/// Nodes go back to 32 bits where outputs lose too much.
Result<Kept> keptForOutputs(
    HalfRequest request, const Dataset& dataset, const HalfOptions& options, const JobContext& job)
{
    const Halved all = halve(request);
    DUO_TRY(outputs, HalfNoise::ofModel(request.model, dataset, options.threads, job));
    std::vector<std::string> kept = std::move(request.kept);
    std::int64_t asked = 0;
    const HalvedNoise noiseOf = [&](const std::vector<bool>& isHalf) -> Result<double> {
        job.tell({"halve", ++asked, 0});
        request.kept = kept;
        for (std::size_t i = 0; i < isHalf.size(); ++i) {
            if (!isHalf[i])
                request.kept[all.nodes[i].index] = "not asked for";
        }
        const Halved some = halve(request);
        if (!some.edits)
            return 0.0;
        auto noise = outputs.with(*some.edits, job);
        return noise ? std::move(noise) : ofHalves(noise.error(), request.model);
    };
    DUO_TRY(costly, findCostlyNodes(all.nodes.size(), std::pow(10, -(options.leastDb + kSpareDb) / 10), noiseOf));
    for (const NodeRange& range : costly.ranges) {
        for (std::size_t i = range.first; i < range.first + range.count; ++i)
            kept[all.nodes[i].index] = costText(range, options.leastDb);
    }
    return Kept{std::move(kept), -10 * std::log10(costly.noise)};
}

/// What is asked of a model, of the same nodes where nothing is rounded to codes.
Result<HalfRequest> requestWithoutCodes(const Model& smooth, const HalfRequest& request, const Dataset& dataset,
    const HalfOptions& options, const JobContext& job)
{
    DUO_TRY(magnitudes, magnitudesOf(smooth, dataset, options.threads, job));
    HalfRequest asked{smooth, options.type, {}, std::move(magnitudes.largest), std::move(magnitudes.smallest)};
    for (const Node& node : smooth.nodes)
        asked.kept.push_back(request.kept[request.model.findNode(node.name).index]);
    return asked;
}

/// The decibels that outputs keep where what is halved is rounded but computed in 32 bits; nothing where no node is.
Result<std::optional<double>> roundedDb(const std::shared_ptr<const Model>& model, const HalfRequest& request,
    const Dataset& dataset, const HalfOptions& options, const JobContext& job)
{
    DUO_TRY(smooth, withoutCodes(model, job));
    DUO_TRY(asked, requestWithoutCodes(*smooth, request, dataset, options, job));
    const auto edits = roundedAsHalved(asked);
    if (!edits)
        return std::optional<double>();
    DUO_TRY(outputs, HalfNoise::ofModel(*smooth, dataset, options.threads, job));
    const auto noise = outputs.with(*edits, job);
    if (!noise)
        return ofHalves(noise.error(), *smooth);
    return std::optional(-10 * std::log10(*noise));
}

/// The same of a model that may be quantized, found where nothing is rounded to codes.
/// @param request of `model`
Result<Kept> keptOf(const std::shared_ptr<const Model>& model, const HalfRequest& request, const Dataset& dataset,
    const HalfOptions& options, const JobContext& job)
{
    DUO_TRY(smooth, withoutCodes(model, job));
    if (smooth == model)
        return keptForOutputs(request, dataset, options, job);
    DUO_TRY(asked, requestWithoutCodes(*smooth, request, dataset, options, job));
    DUO_TRY(found, keptForOutputs(std::move(asked), dataset, options, job));
    Kept named{request.kept, found.sqnrDb};
    for (std::size_t i = 0; i < found.why.size(); ++i)
        named.why[model->findNode(smooth->nodes[i].name).index] = std::move(found.why[i]);
    return named;
}

/// What is known of the outputs, in a report.
void tellOutputs(PassReport& report, std::optional<double> db, ElementType type)
{
    if (report.applied.empty() || !db)
        return;
    if (std::isfinite(*db))
        report.sqnrDb = *db;
    else
        report.outputs = *db > 0 ? "are the same over the samples that were looked at" : "are not always finite";
    if (type == ElementType::BFloat16)
        report.outputs += std::string(report.outputs.empty() ? "" : ", ")
            + "measured with values rounded to bfloat16 and sums in 32 bits, as the engine does not compute in it";
}

PassReport reportOf(
    const PassResult& halved, const Model& model, const Scopes& scopes, ElementType type, double seconds)
{
    PassReport report{std::string(kHalfPass), halfPass().version,
        "Nodes compute in " + std::string(elementTypeName(type)) + " as far as their values fit.", false, {}};
    for (const NodeId id : halved.applied)
        report.applied.push_back({model.node(id).name, scopes.nodes[id.index].execution, {}});
    for (const PassSkip& skip : halved.skipped)
        report.skipped.push_back({model.node(skip.node).name, scopes.nodes[skip.node.index].execution, skip.why});
    report.seconds = seconds;
    return report;
}

/// Inputs and outputs of what was made are of 16 bits, too.
Result<std::shared_ptr<const Model>> withHalfPorts(
    const std::shared_ptr<const Model>& made, const HalfRequest& request, const JobContext& job)
{
    const std::vector<std::string> before = whyNotHalf(request);
    std::vector<std::string> whyNot(made->values.size());
    for (std::size_t v = 0; v < before.size(); ++v) {
        const ValueId now = before[v].empty() ? ValueId() : made->findValue(request.model.values[v].name);
        if (now.valid())
            whyNot[now.index] = before[v];
    }
    HalvedPorts ports = halvePorts(*made, request.type, whyNot);
    if (!ports.floats.empty()) {
        const auto& [value, why] = ports.floats.front();
        return Error{ErrorCode::Unsupported,
            "'" + made->value(value).name + "' cannot be given in " + std::string(elementTypeName(request.type)) + ": "
                + why,
            made->path.string(), "leave inputs and outputs in 32 bits"};
    }
    return convertedModel(made, ports.edits, {}, job);
}

/// A quantized model in the opset from which on scales have 16 bits; as it is where it has no quantizers, is in it, or
/// cannot or must not be. What was done has a row of its own in the report.
Result<Transformed> inOpsetOfHalfScales(Transformed before, std::int64_t mostOpset, const JobContext& job)
{
    const bool mayBe = mostOpset == 0 || mostOpset >= kHalfScaleOpset;
    if (!mayBe || std::ranges::none_of(before.model->nodes, isQuantizer))
        return before;
    const auto start = std::chrono::steady_clock::now();
    PassScene scene{*before.model, {}};
    scene.leastOpset = kHalfScaleOpset;
    const PassResult raised = toNewerOpset(scene);
    if (!raised.edits)
        return before;
    const auto pass = std::ranges::find(passes(), "newer-opset", &Pass::id);
    PassReport report{std::string(pass->id), pass->version, std::string(pass->does), true, {}};
    for (const NodeId id : raised.applied)
        report.applied.push_back({before.model->node(id).name, {}, {}});
    DUO_TRY(made, convertedModel(before.model, *raised.edits, {}, job));
    before.model = std::move(made);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    before.report.passes.push_back(std::move(report));
    return before;
}

} // namespace

RuleSet floatRules(const RuleSet& rules)
{
    RuleSet some;
    for (const Rule& rule : rules.rules) {
        if (rule.action == RuleAction::Precision && rule.precision.floatBits)
            some.rules.push_back(rule);
    }
    return some;
}

HalfOptions halfOptions(const TransformOptions& transforms, const RuleSet& rules)
{
    HalfOptions options;
    options.type = halfTypeOf(transforms).value_or(options.type);
    options.keep = transforms.keep;
    options.leastDb = transforms.halfSqnrDb;
    options.ports = transforms.halfPorts;
    options.mostOpset = transforms.opset;
    options.rules = rules;
    return options;
}

Result<HalvedAgain> halvedAgain(std::shared_ptr<const Model> model, ElementType type,
    const std::set<std::string>& nodes, std::int64_t mostOpset, const JobContext& job)
{
    DUO_TRY(raised, inOpsetOfHalfScales({std::move(model), {}}, mostOpset, job));
    HalfRequest request{*raised.model, type};
    for (const Node& node : raised.model->nodes)
        request.kept.emplace_back(nodes.contains(node.name) ? "" : "it was in 32 bits");
    request.largest.assign(raised.model->values.size(), 1.0F);
    const Halved halved = halve(request);
    if (!halved.edits)
        return HalvedAgain{raised.model, {}};
    DUO_TRY(made, convertedModel(raised.model, *halved.edits, {}, job));
    return HalvedAgain{std::move(made), halved.edits->removedTensors};
}

Result<Transformed> halvedModel(
    Transformed given, const Dataset& dataset, const HalfOptions& options, const JobContext& job)
{
    DUO_TRY(before, inOpsetOfHalfScales(std::move(given), options.mostOpset, job));
    const auto start = std::chrono::steady_clock::now();
    const Model& model = *before.model;
    if (model.irVersion < kInitializersNeedNoInput)
        return Error{ErrorCode::Unsupported,
            "files of IR version " + std::to_string(model.irVersion) + " have constants that are inputs as well",
            model.path.string(), "export it anew, or raise its version"};
    const Scopes scopes = findScopes(model);
    std::erase_if(before.report.passes, [](const PassReport& pass) { return pass.id == kHalfPass; }); // it had no data
    DUO_TRY(kept, keptNodes(model, scopes, options, before.report));
    DUO_TRY(magnitudes, magnitudesOf(model, dataset, options.threads, job));
    HalfRequest request{
        model, options.type, std::move(kept), std::move(magnitudes.largest), std::move(magnitudes.smallest)};
    std::optional<double> outputsDb;
    if (options.type == ElementType::Float16) {
        DUO_TRY(found, keptOf(before.model, request, dataset, options, job));
        request.kept = std::move(found.why);
        outputsDb = found.sqnrDb;
    } else {
        DUO_TRY(found, roundedDb(before.model, request, dataset, options, job));
        outputsDb = found;
    }
    PassScene scene{model, {}};
    scene.half = &request;
    const PassResult halved = halfPass().run(scene);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    Transformed made{before.model, std::move(before.report)};
    made.report.passes.push_back(reportOf(halved, model, scopes, options.type, seconds));
    tellOutputs(made.report.passes.back(), outputsDb, options.type);
    if (!halved.edits && !options.ports)
        return made;
    DUO_TRY(changed, convertedModel(before.model, halved.edits.value_or(EditList()), {}, job));
    if (options.ports) {
        DUO_TRY(typed, withHalfPorts(changed, request, job));
        changed = std::move(typed);
        made.report.passes.back().does += " So are inputs and outputs.";
    }
    if (options.type == ElementType::Float16) {
        if (const auto opened = openModel(*changed, {}, job); !opened)
            return ofHalves(opened.error(), model);
    }
    made.model = std::move(changed);
    made.report.nodesAfter = made.model->nodes.size();
    return made;
}

} // namespace duo
