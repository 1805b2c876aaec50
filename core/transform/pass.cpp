// SPDX-License-Identifier: Apache-2.0
#include "core/transform/pass.h"

#include "core/transform/common_passes.h"
#include "core/transform/fold_batch_norm.h"
#include "core/transform/halve.h"
#include "core/transform/lower_opset.h"
#include "core/transform/newer_opset.h"
#include "core/transform/raise_opset.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace duo {
namespace {

constexpr PassKeeps kButNames = keeps::kAll & ~keeps::kNames;
constexpr PassKeeps kButBits = keeps::kAll & ~keeps::kBits;

constexpr std::array kPasses{
    Pass{"raise-opset", PassStage::Open, 1, "Opsets below 13 become 13, the first that quantizes per channel.",
        [](const PassScene& scene) { return raiseOpset(scene.model); }, needs::kNothing, kButNames},
    Pass{"initializer-inputs", PassStage::Common, 1, "Initializers that had to be inputs as well are inputs no more.",
        freeInitializers},
    Pass{"constant-nodes", PassStage::Common, 3, "Constants that stand in nodes become initializers.", moveConstants},
    Pass{"shape-computation", PassStage::Common, 3,
        "What computes shapes becomes a constant, or sizes that a Reshape copies.", simplifyShapes,
        needs::kSizesIfFixed},
    Pass{"branches", PassStage::Common, 3,
        "The branch that an If always takes stands in its place, and of a Loop that never runs what it starts with.",
        takeBranches},
    Pass{"identity", PassStage::Common, 1, "Identity nodes go.", removeIdentities},
    Pass{"dropout", PassStage::Common, 1, "Dropout goes: outside training it changes nothing.", removeDropouts},
    Pass{"no-op", PassStage::Common, 3, "Operators go that give what they are given, whatever its size.", removeNoOps},
    Pass{"same-size", PassStage::Common, 2, "Reshapes, slices and the like go that keep the size.", removeSameSize,
        needs::kSizes},
    Pass{"transpose-pairs", PassStage::Common, 1, "A Transpose of a Transpose becomes one, or none.", joinTransposes},
    Pass{"transpose-sinking", PassStage::Common, 1,
        "Transposes there and back go around what works element by element.", sinkTransposes, needs::kNothing,
        keeps::kAll & ~keeps::kShapes & ~keeps::kWeights},
    Pass{"reshape-chains", PassStage::Common, 2, "Of reshapes behind each other the last one is left.", joinReshapes,
        needs::kSizesIfFixed},
    Pass{"squeeze-chains", PassStage::Common, 1, "Of Squeeze and Unsqueeze behind each other one is left, or none.",
        joinSqueezes},
    Pass{"slice-chains", PassStage::Common, 1, "Of slices along different axes behind each other one is left.",
        joinSlices},
    Pass{"duplicates", PassStage::Common, 2, "What is computed twice from the same inputs is computed once.",
        joinDuplicates},
    Pass{"fold-constants", PassStage::Common, 5, "What no input changes is computed once.", foldConstants,
        needs::kConstants},
    Pass{"pads", PassStage::Common, 3, "What is put around the input of a convolution or a pool becomes its pads.",
        joinPads, needs::kNothing, kButBits},
    Pass{"batch-norm", PassStage::Common, 4, "BatchNormalization becomes a part of the product before or behind it.",
        joinBatchNorms, needs::kNothing, kButBits & ~keeps::kWeights},
    Pass{"activations", PassStage::Common, 3, "HardSwish, Mish, Gelu or Swish in several operators becomes one.",
        joinActivations, needs::kNothing, kButBits},
    Pass{"norms", PassStage::Common, 1, "LayerNormalization or RMSNormalization in several operators becomes one.",
        joinNorms, needs::kSizesIfFixed, kButBits},
    Pass{"dead-code", PassStage::Common, 1, "Nodes and constants go that nothing reads.", removeDeadCode},
    Pass{"gemm", PassStage::Target, 1, "A MatMul of matrices and the vector added to it become a Gemm.", joinBiases,
        needs::kNothing, kButBits},
    Pass{"channel-bias", PassStage::Target, 1, "A constant added to the channels of a convolution becomes its bias.",
        joinChannelBiases, needs::kNothing, kButBits & ~keeps::kWeights},
    Pass{"split-gemm", PassStage::Target, 1, "A Gemm becomes a MatMul and an Add.", splitGemms, needs::kNothing,
        kButBits, "gemm"},
    Pass{"attention", PassStage::Target, 1, "Attention in several operators becomes one.", joinAttention,
        needs::kSizesIfFixed, kButBits & ~keeps::kShapes},
    Pass{"split-attention", PassStage::Target, 1, "An Attention becomes products and a Softmax.", splitAttention,
        needs::kSizesIfFixed, kButBits, "attention"},
    Pass{"group-norm", PassStage::Target, 1, "GroupNormalization around an InstanceNormalization becomes one.",
        joinGroupNorms, needs::kSizesIfFixed, kButBits},
    Pass{"split-norms", PassStage::Target, 1,
        "LayerNormalization, RMSNormalization or GroupNormalization becomes several operators.", splitNorms,
        needs::kNothing, kButBits, "norms"},
    Pass{"split-activations", PassStage::Target, 1, "Gelu, HardSwish, Mish or Swish becomes several operators.",
        splitActivations, needs::kNothing, kButBits, "activations"},
    Pass{"quantizers", PassStage::Target, 3,
        "Quantizers that give the same become one; what clamps before them as they do goes, and codes move, not "
        "numbers.",
        joinQuantizers},
    Pass{"newer-opset", PassStage::Target, 1, "Opsets below the one that is asked for become that one.", toNewerOpset,
        needs::kNothing, kButNames},
    Pass{"lower-opset", PassStage::Target, 1,
        "Operators that the opset of the target has not are written as several older ones.", lowerOpset,
        needs::kNothing, kButBits},
    Pass{kHalfPass, PassStage::Target, 1, "Nodes compute in floats of 16 bits as far as the values that data give fit.",
        halveAsAsked, needs::kValues, keeps::kNames | keeps::kScopes | keeps::kShapes},
    Pass{"fold-batch-norm", PassStage::Write, 1, "BatchNormalization becomes a part of the convolution before it.",
        [](const PassScene& scene) { return foldBatchNorms(scene.model, scene.written); }, needs::kNothing,
        keeps::kNames | keeps::kShapes | keeps::kScopes},
};

/// ONNX Runtime adds the vector inside of an int8 Gemm, and by a node of its own behind an int8 MatMul; an int8 kernel
/// in front of a quantizer clamps as that does. Its Attention in float is as fast as its products in int8;
/// GroupNormalization it computes as some thirty nodes, half as fast as InstanceNormalization.
constexpr std::array<std::string_view, 2> kOrtCpu{"gemm", "quantizers"};

constexpr std::array<std::string_view, 1> kTensorRt{"lower-opset"};
constexpr std::int64_t kOpsetOfTensorRt = 25; // of TensorRT 11.4

/// Nothing beyond stage Common is known to gain by on OpenVINO and QNN.
constexpr std::array kTargets{TransformTarget{"ort-cpu", kOrtCpu},
    TransformTarget{"tensorrt", kTensorRt, kOpsetOfTensorRt, true}, TransformTarget{"openvino", {}},
    TransformTarget{"qnn", {}}};

} // namespace

std::span<const TransformTarget> transformTargets()
{
    return kTargets;
}

const TransformTarget* findTarget(std::string_view name)
{
    const auto found = std::ranges::find(kTargets, name, &TransformTarget::name);
    return found == std::end(kTargets) ? nullptr : &*found;
}

std::string readsUpToText(std::int64_t opset, std::string_view target, std::int64_t most)
{
    return "it is written in opset " + std::to_string(opset) + ", and " + std::string(target)
        + " is known to read opsets up to " + std::to_string(most);
}

std::span<const Pass> passes()
{
    return kPasses;
}

PassResult runWritePasses(const Model& model, const std::set<NodeId>& written)
{
    PassResult joined;
    for (const Pass& pass : kPasses) {
        if (pass.stage != PassStage::Write)
            continue;
        PassResult result = pass.run({model, written});
        if (result.edits && joined.edits)
            addInPlace(*joined.edits, *std::move(result.edits));
        else if (result.edits)
            joined.edits = std::move(result.edits);
        std::ranges::move(result.notes, std::back_inserter(joined.notes));
        std::ranges::move(result.fused, std::back_inserter(joined.fused));
    }
    return joined;
}

} // namespace duo
