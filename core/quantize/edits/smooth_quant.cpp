// SPDX-License-Identifier: Apache-2.0
// SmoothQuant as NNCF 3.4 does it (resources/docs/quantization.md, "SmoothQuant"); Xiao et al. 2023.
#include "core/quantize/edits/float_changes.h"

#include "core/model/op_facts.h"
#include "core/quantize/edits/fold_scales.h"
#include "core/support/linear_quantile.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr double kLeast = 1e-5; // of activations and weights
constexpr double kMostScale = 100;
constexpr double kLeastQuantile = 0.1;

bool isSmoothed(const Node& node, double matmul, double convolution, double& alpha)
{
    const bool isMatrix = isProduct(node, Product::Matrix);
    const bool isConv = isProduct(node, Product::Convolution) && node.intAttribute("group", 1) == 1;
    alpha = isMatrix ? matmul : convolution;
    return (isMatrix || isConv) && alpha >= 0;
}

bool areFinite(const std::vector<float>& maxima)
{
    return std::ranges::all_of(maxima, [](float most) { return std::isfinite(most); });
}

/// @param activations finite, as are weights: then the scales are above zero
std::vector<double> scalesFor(const std::vector<float>& activations, const std::vector<float>& weights, double alpha)
{
    std::vector<double> scales;
    for (std::size_t c = 0; c < weights.size(); ++c) {
        const double a = std::max<double>(activations[c], kLeast);
        const double w = std::max<double>(weights[c], kLeast);
        scales.push_back(std::pow(a, alpha) / (std::pow(w, 1 - alpha) + 1e-10));
    }
    std::vector<double> sorted = scales;
    std::ranges::sort(sorted);
    const double least = linearQuantile(sorted, kLeastQuantile);
    for (double& scale : scales)
        scale = std::clamp(scale, std::min(least, kMostScale), kMostScale);
    return scales;
}

double evenness(const std::vector<double>& scales)
{
    const auto [least, most] = std::ranges::minmax(scales);
    return least / most;
}

struct Best {
    double evenness = -1;
    std::vector<double> scales;
    std::vector<NodeId> nodes; // all, whosever scales are taken
};

FloatChange changeOf(const Model& model, ValueId value, const Best& best, bool folds)
{
    FloatChange change{FloatChangeKind::SmoothQuant, model.value(value).name, {},
        std::vector<float>(best.scales.begin(), best.scales.end()), {}};
    for (const NodeId node : best.nodes)
        change.nodes.push_back(model.node(node).name);
    const auto producer = folds ? scaledProducer(model, value, best.nodes, best.scales.size()) : std::nullopt;
    if (producer)
        change.foldedInto = model.node(producer->node).name;
    return change;
}

} // namespace

std::vector<FloatChange> smoothQuantChanges(
    const Model& model, const ChannelMaxima& activations, double matmul, double convolution, bool folds)
{
    std::map<ValueId, Best> groups;
    std::vector<ValueId> order;
    for (const NodeId id : model.mainGraph().nodes) {
        const Node& node = model.node(id);
        double alpha = -1;
        if (!isSmoothed(node, matmul, convolution, alpha) || node.inputs.empty() || !node.inputs[0].valid())
            continue;
        const auto weights = inputChannelMaxima(model, id);
        const auto known = activations.find(model.value(node.inputs[0]).name);
        if (weights.empty() || known == activations.end() || known->second.size() != weights.size()
            || !areFinite(weights) || !areFinite(known->second))
            continue;
        const auto [entry, isNew] = groups.try_emplace(node.inputs[0]);
        if (isNew)
            order.push_back(node.inputs[0]);
        Best& best = entry->second;
        auto scales = scalesFor(known->second, weights, alpha);
        if (const double now = evenness(scales); now > best.evenness) {
            best.evenness = now;
            best.scales = std::move(scales);
        }
        best.nodes.push_back(id);
    }
    std::vector<FloatChange> changes;
    for (const ValueId value : order) {
        const Best& best = groups.at(value);
        const auto [least, most] = std::ranges::minmax(best.scales);
        if (least < most)
            changes.push_back(changeOf(model, value, best, folds));
    }
    return changes;
}

} // namespace duo
