// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/placement.h"

#include "core/model/op_facts.h"
#include "core/quantize/decisions.h"
#include "core/quantize/notes.h"
#include "core/quantize/operators/nncf_order.h"
#include "core/quantize/points/profile_rules.h"
#include "core/quantize/profiles/fusion_plan.h"
#include "core/quantize/profiles/ort_cpu_points.h"
#include "core/quantize/profiles/profile_points.h"
#include "core/quantize/propagate/propagation.h"
#include "core/transform/raise_opset.h"

#include <algorithm>

namespace duo {

struct PlacementBase : std::enable_shared_from_this<PlacementBase> {
    QuantizationSettings settings;
    Target target; // of the settings
    CandidateLimits limits;
    OpGraph graph;
    FusionPlan plan; // `fused` and `preset` point into it
    PatternNames patterns; // of the plan
    FusedGraph fused;
    FloatScope preset;
    WeightReads weights;
    PropagationOptions options;
    OrtCpuPlan ortCpu;
    std::vector<Note> notes;
};

namespace {

Status checkOpset(const Model& model)
{
    const std::int64_t opset = model.opset();
    if (opset >= 10)
        return success();
    const auto kept = std::ranges::find(model.notes, kOpsetKept, &Note::kind);
    if (opset == 0 && kept == model.notes.end())
        return Error{ErrorCode::Unsupported, "the model does not say which opset its operators are of",
            model.path.string(), "export it again: it has to import a version of ai.onnx"};
    return Error{ErrorCode::Unsupported,
        kept != model.notes.end() ? kept->text : "opset " + std::to_string(opset) + " has no QuantizeLinear",
        model.path.string(), "export the model with opset 13 or newer"};
}

PropagationOptions optionsFor(const PlacementBase& base)
{
    PropagationOptions options;
    options.limits = {base.limits};
    options.quantizeOutputs = base.settings.quantizeOutputs;
    options.likeNncf = base.target.likeNncf;
    options.unifiesConcatInputs = base.target.unifiesConcatInputs;
    options.unifiesElementwiseInputs = base.target.device == TargetDevice::Npu;
    if (base.target.likeNncf)
        options.startOrder = nncfVertexOrder(base.graph, base.fused);
    return options;
}

/// What a profile cannot have of a wish for quantizers.
Status checkWish(const Target& target, const PrecisionOverride& activations, const PrecisionOverride& weights,
    const std::string& where)
{
    const auto refused = [&](const std::string& what, const std::string& whatToDo) {
        return Error{ErrorCode::InvalidRule, "profile " + std::string(target.profile) + what, where, whatToDo};
    };
    if (!target.takesAsymmetric && activations.mode == QuantizationMode::Asymmetric)
        return refused(" takes symmetric activations only", "leave the mode of activations out");
    if (!target.takesWide && (activations.numBits == 16 || weights.numBits == 16))
        return refused(" has no 16-bit quantizers", "take 8 bits");
    return success();
}

Status checkProfile(const QuantizationSettings& settings, const Target& target)
{
    if (!target.takesAsymmetric && settings.preset == Preset::Mixed)
        return Error{ErrorCode::InvalidRule,
            "profile " + std::string(target.profile) + " takes symmetric activations only", "preset mixed",
            "leave the preset and the mode of activations out"};
    return checkWish(target, settings.activations, settings.weights, "quantization parameters");
}

Status checkPrecisions(const Target& target, const RuleHits& hits)
{
    for (const RuleHit& hit : hits.hits) {
        const RulePrecision& wanted = hit.rule.precision;
        if (hit.rule.enabled)
            DUO_CHECK(checkWish(target, wanted.activations, wanted.weights, "rule '" + ruleText(hit.rule) + "'"));
    }
    return success();
}

/// What rules want of a group's first operator holds for the group.
void applyPrecisionInPlace(FusedGraph& fused, const OpGraph& graph, const RuleHits& hits)
{
    if (hits.precisionOf.empty())
        return;
    for (Vertex& vertex : fused.vertices) {
        const Op& op = graph.ops[vertex.primary()];
        if (op.kind == OpKind::Node)
            vertex.traits.precision = hits.precisionOf[op.node.index];
    }
}

/// What a runtime wants otherwise than NNCF places it.
/// @return why nodes stay in float [Model::nodes]
std::vector<DecisionReason> applyProfile(DraftSetup& draft, const Model& model, const OpGraph& graph,
    PropagationState& state, const PlacementBase& base, const std::vector<CandidateLimits>& limits)
{
    const Target& target = base.target;
    if (target.placesForOrtCpu)
        return applyOrtCpuRules(draft, model, graph, state, base.ortCpu, base.settings);
    if (target.quantizesEveryTensor)
        quantizeEveryTensor(draft, model, graph, state, limits);
    if (target.addsSkipsOnly)
        return applyTensorRtRules(draft, model, graph, state);
    return std::vector<DecisionReason>(model.nodes.size());
}

/// In transformers the product of two activations is symmetric (resources/docs/quantization.md, "Transformers").
void forceSymmetricProductsInPlace(DraftSetup& draft, const Model& model)
{
    for (DraftIndex i = 0; i < draft.count(); ++i) {
        DraftPoint& point = draft.at(i);
        if (point.isWeight || point.isGone)
            continue;
        for (const NodeId sink : point.sinks) {
            const bool isOfData = isProduct(model.node(sink), Product::Matrix) && draft.weightPoint(sink, 0) == kNoIndex
                && draft.weightPoint(sink, 1) == kNoIndex;
            if (isOfData)
                point.config.mode = QuantizationMode::Symmetric;
        }
    }
}

/// Every operator to quantize must have a configuration left.
Status checkCandidates(
    const Model& model, const OpGraph& graph, const FusedGraph& fused, const std::vector<CandidateLimits>& limits)
{
    constexpr std::size_t kSpaces = static_cast<std::size_t>(ActivationSpace::Fixed) + 1;
    std::vector<bool> isEmpty(limits.size() * kSpaces);
    for (std::size_t i = 0; i < isEmpty.size(); ++i) {
        const auto space = static_cast<ActivationSpace>(i % kSpaces);
        isEmpty[i] = space != ActivationSpace::None && activationCandidates(space, limits[i / kSpaces]).empty();
    }
    if (std::find(isEmpty.begin(), isEmpty.end(), true) == isEmpty.end())
        return success();
    for (const Vertex& vertex : fused.vertices) {
        const Op& op = graph.ops[vertex.primary()];
        const bool isStarted = vertex.traits.trait == Trait::InputsQuantizable && op.kind == OpKind::Node
            && std::any_of(
                vertex.in.begin(), vertex.in.end(), [&](InputIndex input) { return !fused.inputs[input].isInteger; });
        if (isStarted && isEmpty[vertex.traits.precision * kSpaces + static_cast<std::size_t>(vertex.traits.space)])
            return Error{ErrorCode::InvalidRule,
                "activations cannot be quantized as activations_quantization_params say",
                "node '" + model.node(op.node).name + "'",
                "allow another num_bits, mode or per_channel, or ignore the node"};
    }
    return success();
}

Status checkWeights(const Model& model, const std::vector<WeightDraft>& weights)
{
    for (const WeightDraft& weight : weights) {
        if (weight.candidates->empty())
            return Error{ErrorCode::InvalidRule, "weights cannot be quantized as weights_quantization_params say",
                "node '" + model.node(weight.node).name + "'",
                "allow another num_bits, mode or per_channel, or ignore the node"};
    }
    return success();
}

std::shared_ptr<const DecisionTerms> termsFor(
    const Model& model, const PlacementBase& base, const RuleHits& hits, const QuantizedPlaces& places)
{
    DecisionTerms terms = termsOf(hits);
    terms.otherBits = otherBits(model, places.bits, base.graph.ports);
    terms.patterns = base.patterns.names();
    terms.profile = base.target.profile;
    return std::make_shared<const DecisionTerms>(std::move(terms));
}

} // namespace

Result<std::shared_ptr<const PlacementBase>> preparePlacement(
    const Model& model, const QuantizationSettings& settings, std::vector<Note> notes)
{
    DUO_CHECK(checkOpset(model));
    auto base = std::make_shared<PlacementBase>();
    base->settings = settings;
    base->target = targetOf(settings);
    DUO_CHECK(checkProfile(settings, base->target));
    base->limits = candidateLimits(settings, model.opset());
    base->graph = buildOpGraph(model, base->target);
    base->plan = fusionPlan(model, base->graph, base->target);
    base->patterns = PatternNames(base->plan);
    base->fused = fuse(base->graph, base->plan.fusing, base->plan.matches);
    base->preset = presetFloatScope(model, base->graph, base->fused, base->plan.ignored, base->target);
    base->weights = findWeightReads(model, base->graph, base->fused, base->limits.isStrict);
    base->options = optionsFor(*base);
    if (base->target.placesForOrtCpu)
        base->ortCpu = planOrtCpuRules(model, base->graph, base->fused, settings);
    base->notes = std::move(notes);
    addPlacementNotes(model, base->graph, base->notes);
    addFloatNotes(model, base->graph, base->fused, base->preset, base->notes);
    return std::shared_ptr<const PlacementBase>(std::move(base));
}

Result<Placement> placeQuantizers(
    const Model& model, const PlacementBase& base, const RuleHits& hits, const Placement* previous)
{
    const Target& target = base.target;
    const OpGraph& graph = base.graph;
    DUO_CHECK(checkPrecisions(target, hits));
    PropagationOptions options = base.options;
    options.limits = limitsByPrecision(base.limits, hits.precisions);
    const auto& limits = options.limits;
    FusedGraph fused = base.fused;
    const FloatScope floatScope = withRules(base.preset, model, graph, fused, hits, target);
    applyFloatScopeInPlace(fused, floatScope);
    applyPrecisionInPlace(fused, graph, hits);

    DUO_CHECK(checkCandidates(model, graph, fused, limits));
    const auto state = propagate(fused, options);
    auto weights = weightDrafts(base.weights, fused, limits);
    DUO_CHECK(checkWeights(model, weights));
    DraftSetup draft = draftSetup(model, graph, *state, std::move(weights), target.likeNncf);
    auto floatReasons = applyProfile(draft, model, graph, *state, base, limits);
    if (target.takesNncfTables && target.isTransformer)
        forceSymmetricProductsInPlace(draft, model);
    if (target.device == TargetDevice::CpuSpr)
        dropOperandPoints(draft, model, graph, target.likeNncf);

    Placement placement;
    placement.setup = draft.finish();
    QuantizedPlaces places = quantizedPlaces(model, graph, placement.setup, target.placesForOrtCpu);
    placement.terms = termsFor(model, base, hits, places);
    const auto trace = std::make_shared<const DecisionTrace>(DecisionTrace{
        base.shared_from_this(), floatScope.causes, std::move(floatReasons), std::move(places), placement.terms});
    const DecisionFacts facts{model, graph, fused, floatScope, hits, target, base.patterns, *trace};
    const bool isKnown = previous != nullptr && previous->trace && previous->trace->base == trace->base;
    placement.decisions = isKnown ? decideAgain(facts, previous->decisions, *previous->trace) : decide(facts);
    placement.trace = trace;
    placement.notes = base.notes;
    if (auto note = nothingQuantizedNote(model, placement.decisions))
        placement.notes.insert(placement.notes.begin(), *std::move(note));
    if (auto note = precisionNote(model, hits, trace->places.bits))
        placement.notes.push_back(*std::move(note));
    return placement;
}

} // namespace duo
