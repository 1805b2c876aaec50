// SPDX-License-Identifier: Apache-2.0
#include "core/transform/newer_opset.h"

#include "core/transform/lower_opset.h"
#include "core/transform/raise_opset.h"
#include "core/transform/rewrites.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

void nameAllOutputs(NodeRewrite& rewrite)
{
    if (!rewrite.hasInput(1))
        rewrite.set("num_outputs", static_cast<std::int64_t>(rewrite.node().outputs.size()));
}

void sayOutputPixels(NodeRewrite& rewrite)
{
    if (!rewrite.read<std::string>("coordinate_transformation_mode"))
        rewrite.set("coordinate_transformation_mode", std::string("output_half_pixel"));
}

void shortenMode(NodeRewrite& rewrite)
{
    const std::string mode = rewrite.read<std::string>("mode").value_or("bilinear");
    if (mode == "bilinear" || mode == "bicubic")
        rewrite.set("mode", mode.substr(2));
}

void haveOneOutput(NodeRewrite& rewrite)
{
    for (std::size_t port = 1; port < rewrite.node().outputs.size(); ++port) {
        if (rewrite.isRead(port))
            return rewrite.refuse("its statistics are read");
        rewrite.omitOutput(port);
    }
}

/// How elements beyond the border count there was said anew.
void countNoRest(NodeRewrite& rewrite)
{
    if (rewrite.read<std::int64_t>("ceil_mode").value_or(0) != 0
        && rewrite.read<std::int64_t>("count_include_pad").value_or(0) != 0)
        rewrite.refuse("it counts what is beyond the border");
}

void hasNone(NodeRewrite& rewrite)
{
    rewrite.refuse("its form of later opsets means something else");
}

/// What an operator of opset 13 or later means otherwise from an opset on.
struct ChangedRow {
    std::string_view opType;
    std::int64_t opset;
    void (*rewrite)(NodeRewrite&);
};

/// By name. Operators that only gained types, or attributes whose defaults say what was the rule, are as they were.
constexpr auto kRows = std::to_array<ChangedRow>({
    {"AveragePool", 19, countNoRest},
    {"BatchNormalization", 14, haveOneOutput},
    {"DFT", 20, hasNone},
    {"GridSample", 20, shortenMode},
    {"GroupNormalization", 21, hasNone},
    {"ReduceL1", 18, axesBecomeInput},
    {"ReduceL2", 18, axesBecomeInput},
    {"ReduceLogSum", 18, axesBecomeInput},
    {"ReduceLogSumExp", 18, axesBecomeInput},
    {"ReduceMax", 18, axesBecomeInput},
    {"ReduceMean", 18, axesBecomeInput},
    {"ReduceMin", 18, axesBecomeInput},
    {"ReduceProd", 18, axesBecomeInput},
    {"ReduceSumSquare", 18, axesBecomeInput},
    {"RoiAlign", 16, sayOutputPixels},
    {"Scatter", 14, hasNone},
    {"Split", 18, nameAllOutputs},
    {"Upsample", 14, hasNone},
});
static_assert(std::ranges::is_sorted(kRows, {}, &ChangedRow::opType));

/// Why a node has no form of `opset`; it is rewritten where it needs another one.
std::optional<std::string> rewrittenTo(OpsetEdits& edits, NodeId id, std::int64_t opset, bool& isChanged)
{
    const Node& node = edits.model().node(id);
    if (node.isCall)
        return "it calls a local function";
    const auto row = std::ranges::lower_bound(kRows, node.opType, {}, &ChangedRow::opType);
    const bool isOne = node.domain.empty() && row != kRows.end() && row->opType == node.opType;
    if (!isOne || row->opset > opset || row->opset <= edits.model().opset())
        return std::nullopt;
    NodeRewrite rewrite(edits, id, edits.model().opset());
    row->rewrite(rewrite);
    isChanged = rewrite.isChanged();
    return rewrite.refusal();
}

} // namespace

PassResult toNewerOpset(const PassScene& scene)
{
    const Model& model = scene.model;
    const std::int64_t opset = std::min(scene.leastOpset, kMostRaised);
    if (model.opset() < kPerChannelOpset || model.opset() >= opset || model.irVersion < kInitializersNeedNoInput)
        return {};
    OpsetEdits edits(model);
    PassResult result;
    for (const NodeId id : model.order) {
        bool isChanged = false;
        if (auto why = rewrittenTo(edits, id, opset, isChanged))
            result.skipped.push_back({id, *std::move(why)});
        else if (isChanged)
            result.applied.push_back(id);
    }
    if (!result.skipped.empty()) {
        result.applied.clear();
        return result;
    }
    edits.list.opsets.emplace_back("", opset);
    edits.list.irVersion = irVersionOf(opset);
    result.edits = std::move(edits.list);
    return result;
}

} // namespace duo
