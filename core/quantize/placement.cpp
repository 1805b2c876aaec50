// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/placement.h"

#include "core/quantize/place/decisions.h"
#include "core/quantize/place/notes.h"
#include "core/quantize/place/ort_cpu_points.h"
#include "core/quantize/propagate/propagation.h"

#include <array>

namespace duo {
namespace {

Status checkOpset(const Model& model)
{
    const std::int64_t opset = model.opset();
    if (opset >= 10)
        return success();
    return Error{ErrorCode::Unsupported, "opset " + std::to_string(opset) + " has no QuantizeLinear",
        model.path.string(), "export or convert the model with opset 13 or newer"};
}

PropagationOptions optionsFor(const QuantizationSettings& settings, const CandidateLimits& limits)
{
    PropagationOptions options;
    options.limits = limits;
    options.quantizeOutputs = settings.quantizeOutputs;
    options.nncfCompatible = settings.nncfCompatible;
    // ONNX Runtime's QLinearConcat takes a scale per input.
    options.unifiesConcatInputs = settings.nncfCompatible || settings.profile != Profile::OrtCpu;
    options.unifiesElementwiseInputs = settings.targetDevice == TargetDevice::Npu;
    return options;
}

/// In transformers the product of two activations is symmetric (reference/nncf.md 2.5 step 10).
void forceSymmetricProductsInPlace(DraftSetup& draft, const Model& model)
{
    for (DraftIndex i = 0; i < draft.count(); ++i) {
        DraftPoint& point = draft.at(i);
        if (point.isWeight || point.isGone)
            continue;
        for (const NodeId sink : point.sinks) {
            const std::string& type = model.node(sink).opType;
            const bool isProduct = (type == "MatMul" || type == "Gemm") && draft.weightPoint(sink, 0) == kNoIndex
                && draft.weightPoint(sink, 1) == kNoIndex;
            if (isProduct)
                point.config.mode = QuantizationMode::Symmetric;
        }
    }
}

} // namespace

std::string_view nodeStateText(NodeState state)
{
    static constexpr std::array<std::string_view, 8> kTexts{
        "quantized", "ignored", "ignored-inherited", "preset", "unsupported", "blocked", "fused", "weight-only"};
    return kTexts[static_cast<std::size_t>(state)];
}

Result<Placement> placeQuantizers(const Model& model, const RuleHits& hits, const QuantizationSettings& settings)
{
    DUO_CHECK(checkOpset(model));
    const bool isOrtCpu = settings.profile == Profile::OrtCpu && !settings.nncfCompatible;
    const CandidateLimits limits = candidateLimits(settings, model.opset());
    const OpGraph graph = buildOpGraph(model, settings);
    const auto fusing = fusedPatterns(settings);
    const auto ignoring = ignoredPatterns(settings);
    FusedGraph fused = fuse(graph, fusing, findMatches(graph, fusing, true));
    const FloatScope floatScope
        = findFloatScope(graph, fused, ignoring, findMatches(graph, ignoring, false), hits, settings);
    applyFloatScopeInPlace(fused, floatScope);

    const auto state = propagate(fused, optionsFor(settings, limits));
    DraftSetup draft = draftSetup(model, graph, *state, findWeights(model, graph, fused, limits));
    std::vector<std::string> floatReasons(model.nodes.size());
    if (isOrtCpu)
        floatReasons = applyOrtCpuRules(draft, model, graph, *state, settings);
    else if (settings.modelType == ModelType::Transformer)
        forceSymmetricProductsInPlace(draft, model);

    Placement placement;
    placement.setup = draft.finish();
    placement.decisions = decide({model, graph, fused, floatScope, hits, settings, placement.setup, floatReasons});
    placement.notes = placementNotes(model, graph);
    return placement;
}

} // namespace duo
