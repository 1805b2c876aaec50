// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/producer_frames.h"

#include "core/scope/producers/few_values.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace duo {
namespace {

PathId innermost(const FramedNode& node)
{
    return node.frames.empty() ? ModulePaths::root() : node.frames.back().path;
}

void settleReads(const Model& model, PathId module, const ModulePaths& paths, std::vector<ParameterRead>& reads)
{
    for (ParameterRead& read : reads) {
        if (read.key == kNoKey || read.owner == module || !read.tensor.valid()
            || !hasFewValues(model.tensor(read.tensor)))
            continue;
        read.key = kNoKey;
        read.owner = PathId{};
        read.isEqualValues = true;
    }
    const bool hasOwn = std::ranges::any_of(reads, [&](const ParameterRead& read) { return read.owner == module; });
    for (ParameterRead& read : reads) {
        const bool isBeside = read.owner.valid() && read.owner != module && module != ModulePaths::root()
            && read.owner != ModulePaths::root() && paths.parent(read.owner) == paths.parent(module);
        read.isFolded = read.isFolded || (hasOwn && isBeside);
    }
}

} // namespace

void readProducerFrames(const Model& model, const ProducerNames& names, Parameters& parameters, ModulePaths& paths,
    std::vector<FramedNode>& nodes)
{
    std::unordered_map<std::string_view, std::int32_t> kinds;
    std::vector<bool> isNamed(nodes.size(), false);
    bool isAnyNamed = false;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto place = nodes[n].isScoped ? std::nullopt : names.place(NodeId(n));
        if (!place)
            continue;
        FramedNode& framed = nodes[n];
        framed.isScoped = true;
        framed.from = place->from;
        framed.kind = kinds.try_emplace(model.nodes[n].opType, static_cast<std::int32_t>(kinds.size())).first->second;
        for (const ProducerNames::Step& step : place->steps)
            framed.frames.push_back({paths.intern(step.path), step.site});
        isNamed[n] = true;
        isAnyNamed = true;
    }
    if (!isAnyNamed)
        return;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (isNamed[n])
            settleReads(model, innermost(nodes[n]), paths, parameters.reads[n]);
    }
}

} // namespace duo
