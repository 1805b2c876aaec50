// SPDX-License-Identifier: Apache-2.0
// Cross-layer equalization (Nagel et al. 2019, Data-free quantization through weight equalization and bias correction).
#include "core/model/only_use.h"
#include "core/model/op_facts.h"
#include "core/quantize/edits/float_changes.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr int kRounds = 20;
constexpr float kSettled = 1e-3F; // relative change of a scale that no longer counts
constexpr float kMostScale = 1e4F; // and its inverse the least

struct LayerPair {
    NodeId first;
    NodeId second;
    std::vector<float> scales;
};

/// The node beside this one that alone reads its output, as its first input; invalid where there is none.
NodeId nextLayer(const Model& model, NodeId id)
{
    const Node& node = model.node(id);
    const auto use = onlyUse(model, node);
    return use && use->port == 0 && model.node(use->node).region == node.region ? use->node : NodeId();
}

std::vector<LayerPair> layerPairs(const Model& model)
{
    std::vector<LayerPair> pairs;
    for (const NodeId id : model.mainGraph().nodes) {
        if (const NodeId next = pairedLayer(model, id); next.valid())
            pairs.push_back({id, next, {}});
    }
    return pairs;
}

} // namespace

NodeId pairedLayer(const Model& model, NodeId id)
{
    const Node& node = model.node(id);
    const bool isLayer = isProduct(node, Product::Convolution) || isProduct(node, Product::Matrix);
    const std::uint8_t port = opFacts(node).biasPort;
    if (!isLayer || port == kNoPort || hasGemmFactors(node)) // a MatMul's bias is another node
        return {};
    NodeId next = nextLayer(model, id);
    while (next.valid() && has(model.node(next), mark::kKeepsFactors))
        next = nextLayer(model, next);
    if (!next.valid() || model.node(next).opType != node.opType || hasGemmFactors(model.node(next)))
        return {};
    const bool hasBias = node.inputs.size() > port && node.inputs[port].valid();
    const Value* bias = hasBias ? &model.value(node.inputs[port]) : nullptr;
    const bool isScalable = bias == nullptr
        || (bias->initializer.valid() && bias->uses.size() == 1 && model.tensor(bias->initializer).dims.size() == 1);
    return isScalable ? next : NodeId();
}

std::vector<FloatChange> crossLayerChanges(const Model& model)
{
    std::vector<LayerPair> pairs = layerPairs(model);
    std::map<NodeId, std::vector<float>> outputs; // largest weights, with the scales so far
    std::map<NodeId, std::vector<float>> inputs;
    for (LayerPair& pair : pairs) {
        const auto& first = outputs.try_emplace(pair.first, outputChannelMaxima(model, pair.first)).first->second;
        const auto& second = inputs.try_emplace(pair.second, inputChannelMaxima(model, pair.second)).first->second;
        if (!first.empty() && first.size() == second.size())
            pair.scales.assign(first.size(), 1.0F);
    }
    std::erase_if(pairs, [](const LayerPair& pair) { return pair.scales.empty(); });
    // A scale of one pair moves the maxima of a depthwise convolution's other side, whose channels are the same ones.
    const auto isDepthwise = [&](NodeId id) { return model.node(id).intAttribute("group", 1) > 1; };
    for (int round = 0; round < kRounds; ++round) {
        float moved = 0;
        for (LayerPair& pair : pairs) {
            auto& first = outputs[pair.first];
            auto& second = inputs[pair.second];
            for (std::size_t c = 0; c < first.size(); ++c) {
                if (!(first[c] > 0) || !(second[c] > 0) || std::isinf(first[c]) || std::isinf(second[c]))
                    continue;
                const float wanted = pair.scales[c] * std::sqrt(first[c] / second[c]);
                const float scale = std::clamp(wanted, 1 / kMostScale, kMostScale) / pair.scales[c];
                pair.scales[c] *= scale;
                first[c] /= scale;
                second[c] *= scale;
                if (const auto other = inputs.find(pair.first); other != inputs.end() && isDepthwise(pair.first))
                    other->second[c] /= scale;
                if (const auto other = outputs.find(pair.second); other != outputs.end() && isDepthwise(pair.second))
                    other->second[c] *= scale;
                moved = std::max(moved, std::abs(scale - 1));
            }
        }
        if (moved < kSettled)
            break;
    }
    std::vector<FloatChange> changes;
    for (const LayerPair& pair : pairs) {
        const bool isChanged = std::ranges::any_of(pair.scales, [](float s) { return std::abs(s - 1) >= kSettled; });
        if (isChanged)
            changes.push_back({FloatChangeKind::CrossLayer, {},
                {model.node(pair.first).name, model.node(pair.second).name}, pair.scales, {}});
    }
    return changes;
}

} // namespace duo
