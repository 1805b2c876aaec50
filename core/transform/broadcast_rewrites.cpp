// SPDX-License-Identifier: Apache-2.0
#include "core/transform/rewrites.h"

#include <numeric>

namespace duo {
namespace {

bool hasOneElement(const NodeRewrite& rewrite, std::size_t port)
{
    const Tensor* constant = rewrite.hasInput(port) ? rewrite.model().constant(rewrite.node().inputs[port]) : nullptr;
    return constant != nullptr && constant->elements() == 1;
}

/// Gives the second input `count` dimensions of size 1 behind its own, so that it lines up from the end.
void addDimensionsBehind(NodeRewrite& rewrite, std::int64_t rank, std::int64_t count)
{
    std::vector<std::int64_t> axes(static_cast<std::size_t>(count));
    std::iota(axes.begin(), axes.end(), rank);
    const std::string axesName = rewrite.addInts("axes", axes);
    rewrite.giveInput(1, rewrite.addHelper(NodeRewrite::Side::Before, "Unsqueeze", {rewrite.inputName(1), axesName}));
}

/// Lines the second input up with the first from dimension `axis` on.
void alignSecondInput(NodeRewrite& rewrite, std::int64_t axis)
{
    constexpr std::int64_t kMostDimensions = 64;
    const auto first = rewrite.rankOfInput(0);
    const auto second = rewrite.rankOfInput(1);
    if (!first || !second)
        return rewrite.refuse("how many dimensions its inputs have is not known");
    const std::int64_t behind = axis < 0 || axis > *first ? -1 : *first - axis - *second;
    if (behind < 0 || behind > kMostDimensions)
        return rewrite.refuse("its second input does not fit the first");
    if (behind > 0)
        addDimensionsBehind(rewrite, *second, behind);
}

} // namespace

/// Without an axis the second input lines up from the end, as it does now.
void broadcastBecomesImplicit(NodeRewrite& rewrite)
{
    const bool broadcasts = rewrite.take<std::int64_t>("broadcast").value_or(0) != 0;
    const auto axis = rewrite.take<std::int64_t>("axis");
    if (rewrite.node().inputs.size() != 2)
        return rewrite.refuse("it has not two inputs");
    if (broadcasts && axis && !hasOneElement(rewrite, 1))
        alignSecondInput(rewrite, *axis);
}

void summandBroadcasts(NodeRewrite& rewrite)
{
    rewrite.drop("broadcast");
}

/// A slope of several elements stands for the channels, dimension 1.
void slopeBroadcasts(NodeRewrite& rewrite)
{
    if (!hasOneElement(rewrite, 1))
        alignSecondInput(rewrite, 1);
}

} // namespace duo
