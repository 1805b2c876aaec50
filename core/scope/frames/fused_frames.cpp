// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/frame_repairs.h"

#include <algorithm>

namespace duo {

void restoreFusedFrames(const Parameters& parameters, const ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const auto& reads = parameters.reads[n];
        auto& frames = nodes[n].frames;
        const bool isFused = std::any_of(reads.begin(), reads.end(), [](const auto& read) { return read.isFolded; });
        const auto kept = std::find_if(
            reads.begin(), reads.end(), [](const auto& read) { return !read.isFolded && read.owner.valid(); });
        if (!isFused || kept == reads.end() || frames.empty())
            continue;
        const PathId caller = frames.size() > 1 ? frames[frames.size() - 2].path : ModulePaths::root();
        if (kept->owner == frames.back().path || kept->owner == caller || !paths.contains(caller, kept->owner))
            continue;
        frames.back().path = kept->owner;
        nodes[n].from = Provenance::Dataflow;
    }
}

} // namespace duo
