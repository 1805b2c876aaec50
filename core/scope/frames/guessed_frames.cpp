// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/frame_repairs.h"

#include <algorithm>

namespace duo {

void guessFrames(const Parameters& parameters, const ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    constexpr std::int32_t kOneCall = 0; // nothing tells calls of a module apart
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto& reads = parameters.reads[n];
        const auto owned
            = std::find_if(reads.begin(), reads.end(), [](const auto& read) { return read.owner.valid(); });
        if (nodes[n].isScoped || owned == reads.end())
            continue;
        nodes[n].isScoped = true;
        nodes[n].from = Provenance::Guess;
        for (PathId path = owned->owner; path != ModulePaths::root(); path = paths.parent(path))
            nodes[n].frames.push_back({path, kOneCall});
        std::reverse(nodes[n].frames.begin(), nodes[n].frames.end());
    }
}

} // namespace duo
