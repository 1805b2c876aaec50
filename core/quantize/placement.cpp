// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/placement.h"

#include "core/model/op_facts.h"
#include "core/quantize/place/cpu_spr_points.h"
#include "core/quantize/place/decide/decisions.h"
#include "core/quantize/place/decide/notes.h"
#include "core/quantize/place/ort_cpu_points.h"
#include "core/quantize/profiles/every_point.h"
#include "core/quantize/profiles/fusion_plan.h"
#include "core/quantize/profiles/profile_rules.h"
#include "core/quantize/profiles/tensorrt_points.h"
#include "core/quantize/propagate/nncf_order.h"
#include "core/quantize/propagate/propagation.h"
#include "core/transform/opset/raise_opset.h"

#include <algorithm>
#include <array>

namespace duo {

struct PlacementBase : std::enable_shared_from_this<PlacementBase> {
    QuantizationSettings settings;
    CandidateLimits limits;
    OpGraph graph;
    FusionPlan plan; // `fused` and `preset` point into it
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

PropagationOptions optionsFor(
    const QuantizationSettings& settings, const CandidateLimits& limits, const OpGraph& graph, const FusedGraph& fused)
{
    PropagationOptions options;
    options.limits = {limits};
    options.quantizeOutputs = settings.quantizeOutputs;
    options.nncfCompatible = settings.nncfCompatible;
    options.unifiesConcatInputs = settings.nncfCompatible || profileRules(settings.profile).unifiesConcatInputs;
    options.unifiesElementwiseInputs = effectiveDevice(settings) == TargetDevice::Npu;
    if (settings.nncfCompatible)
        options.startOrder = nncfVertexOrder(graph, fused);
    return options;
}

/// What a profile cannot have of a wish for quantizers.
Status checkWish(const QuantizationSettings& settings, const PrecisionOverride& activations,
    const PrecisionOverride& weights, const std::string& where)
{
    const ProfileRules& rules = profileRules(settings.profile);
    const auto refused = [&](const std::string& what, const std::string& whatToDo) {
        return Error{ErrorCode::InvalidRule, "profile " + std::string(rules.name) + what, where, whatToDo};
    };
    if (settings.nncfCompatible)
        return success();
    if (!rules.takesAsymmetric && activations.mode == QuantizationMode::Asymmetric)
        return refused(" takes symmetric activations only", "leave the mode of activations out");
    if (!rules.takesWide && (activations.numBits == 16 || weights.numBits == 16))
        return refused(" has no 16-bit quantizers", "take 8 bits");
    return success();
}

Status checkProfile(const QuantizationSettings& settings)
{
    const ProfileRules& rules = profileRules(settings.profile);
    if (!rules.takesAsymmetric && settings.preset == Preset::Mixed && !settings.nncfCompatible)
        return Error{ErrorCode::InvalidRule, "profile " + std::string(rules.name) + " takes symmetric activations only",
            "preset mixed", "leave the preset and the mode of activations out"};
    return checkWish(settings, settings.activations, settings.weights, "quantization parameters");
}

Status checkPrecisions(const QuantizationSettings& settings, const RuleHits& hits)
{
    for (const RuleHit& hit : hits.hits) {
        const auto& [activations, weights] = hit.rule.precision;
        if (hit.rule.enabled)
            DUO_CHECK(checkWish(settings, activations, weights, "rule '" + ruleText(hit.rule) + "'"));
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
std::vector<std::string> applyProfile(DraftSetup& draft, const Model& model, const OpGraph& graph,
    PropagationState& state, const PlacementBase& base, const std::vector<CandidateLimits>& limits)
{
    const QuantizationSettings& settings = base.settings;
    const ProfileRules& rules = profileRules(settings.profile);
    if (settings.nncfCompatible)
        return std::vector<std::string>(model.nodes.size());
    if (rules.usesOrtCpuKernels)
        return applyOrtCpuRules(draft, model, graph, state, base.ortCpu, settings);
    if (rules.outputs == OutputQuantizers::All)
        quantizeEveryTensor(draft, model, graph, state, limits);
    if (rules.residual == ResidualRule::SkipOnly)
        return applyTensorRtRules(draft, model, graph, state);
    return std::vector<std::string>(model.nodes.size());
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

} // namespace

std::string_view nodeStateText(NodeState state)
{
    static constexpr std::array<std::string_view, 8> kTexts{
        "quantized", "ignored", "ignored-inherited", "preset", "unsupported", "blocked", "fused", "weight-only"};
    return kTexts[static_cast<std::size_t>(state)];
}

std::string_view reasonKindText(ReasonKind kind)
{
    static constexpr std::array<std::string_view, 21> kTexts{"inputs", "weights", "movement", "group", "table",
        "file-quantizer", "rule", "no-target", "pattern", "model-type", "post-processing", "front-end", "range",
        "operator", "profile", "type", "constant", "shape", "body", "call", "neighbour"};
    return kTexts[static_cast<std::size_t>(kind)];
}

Result<std::shared_ptr<const PlacementBase>> preparePlacement(
    const Model& model, const QuantizationSettings& settings, std::vector<Note> notes)
{
    DUO_CHECK(checkOpset(model));
    DUO_CHECK(checkProfile(settings));
    auto base = std::make_shared<PlacementBase>();
    base->settings = settings;
    base->limits = candidateLimits(settings, model.opset());
    base->graph = buildOpGraph(model, settings);
    base->plan = fusionPlan(model, base->graph, settings);
    base->fused = fuse(base->graph, base->plan.fusing, base->plan.matches);
    base->preset = presetFloatScope(model, base->graph, base->fused, base->plan.ignored,
        findMatches(base->graph, base->plan.ignored, false), settings);
    base->weights = findWeightReads(model, base->graph, base->fused, base->limits.isStrict);
    base->options = optionsFor(settings, base->limits, base->graph, base->fused);
    if (profileRules(settings.profile).usesOrtCpuKernels && !settings.nncfCompatible)
        base->ortCpu = planOrtCpuRules(model, base->graph, base->fused, settings);
    base->notes = std::move(notes);
    addPlacementNotes(model, base->graph, base->notes);
    addFloatNotes(model, base->graph, base->fused, base->preset, base->notes);
    return std::shared_ptr<const PlacementBase>(std::move(base));
}

Result<Placement> placeQuantizers(const Model& model, const RuleHits& hits, const QuantizationSettings& settings)
{
    DUO_TRY(base, preparePlacement(model, settings));
    return placeQuantizers(model, *base, hits);
}

Result<Placement> placeQuantizers(
    const Model& model, const PlacementBase& base, const RuleHits& hits, const Placement* previous)
{
    const QuantizationSettings& settings = base.settings;
    const OpGraph& graph = base.graph;
    DUO_CHECK(checkPrecisions(settings, hits));
    PropagationOptions options = base.options;
    options.limits = limitsByPrecision(base.limits, hits.precisions);
    const auto& limits = options.limits;
    FusedGraph fused = base.fused;
    const FloatScope floatScope = withRules(base.preset, model, graph, fused, hits, settings);
    applyFloatScopeInPlace(fused, floatScope);
    applyPrecisionInPlace(fused, graph, hits);

    DUO_CHECK(checkCandidates(model, graph, fused, limits));
    const auto state = propagate(fused, options);
    auto weights = weightDrafts(base.weights, fused, limits);
    DUO_CHECK(checkWeights(model, weights));
    DraftSetup draft = draftSetup(model, graph, *state, std::move(weights), settings.nncfCompatible);
    auto floatReasons = applyProfile(draft, model, graph, *state, base, limits);
    if (usesNncfTables(settings) && isTransformer(settings))
        forceSymmetricProductsInPlace(draft, model);
    if (effectiveDevice(settings) == TargetDevice::CpuSpr)
        dropOperandPoints(draft, model, graph, settings.nncfCompatible);

    Placement placement;
    placement.setup = draft.finish();
    const auto trace = std::make_shared<const DecisionTrace>(DecisionTrace{base.shared_from_this(), floatScope.causes,
        std::move(floatReasons), quantizedPlaces(model, graph, placement.setup), rulesTold(hits)});
    const DecisionFacts facts{model, graph, fused, floatScope, hits, settings, *trace};
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
