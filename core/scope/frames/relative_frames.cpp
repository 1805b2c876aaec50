// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/frame_repairs.h"

#include <map>
#include <set>

namespace duo {
namespace {

class RelativeFrames
{
public:
    RelativeFrames(ModulePaths& paths, std::size_t known)
        : m_paths(paths)
        , m_known(known)
    {
    }

    /// The path below its caller, where only that one is known.
    PathId whole(PathId caller, PathId path)
    {
        if (caller == ModulePaths::root() || path.index < m_known || m_paths.contains(caller, path))
            return path;
        const auto [entry, isNew] = m_whole.try_emplace({caller, path}, path);
        if (!isNew)
            return entry->second;
        const std::string text = m_paths.text(caller) + "." + m_paths.text(path);
        const PathId below = m_paths.find(text);
        if (below.valid() && below.index < m_known) {
            entry->second = below;
            m_callers.insert(caller);
        }
        return entry->second;
    }

    /// What stores nothing is known by no key: it lies below a caller whose other children do.
    PathId besideOthers(PathId caller, PathId path)
    {
        const bool isRelative = m_callers.contains(caller) && path.index >= m_known && !m_paths.contains(caller, path);
        const std::string text = m_paths.text(caller) + "." + m_paths.text(path);
        return isRelative && text.size() <= ModulePaths::kLongest ? m_paths.intern(text) : path;
    }

    [[nodiscard]] bool hasFound() const { return !m_callers.empty(); }

private:
    ModulePaths& m_paths;
    std::size_t m_known;
    std::map<std::pair<PathId, PathId>, PathId> m_whole;
    std::set<PathId> m_callers;
};

} // namespace

void completeRelativeFrames(std::size_t knownPaths, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    RelativeFrames relative(paths, knownPaths);
    for (FramedNode& node : nodes) {
        for (std::size_t i = 1; i < node.frames.size(); ++i)
            node.frames[i].path = relative.whole(node.frames[i - 1].path, node.frames[i].path);
    }
    if (!relative.hasFound())
        return;
    for (FramedNode& node : nodes) {
        for (std::size_t i = 1; i < node.frames.size(); ++i)
            node.frames[i].path = relative.besideOthers(node.frames[i - 1].path, node.frames[i].path);
    }
}

} // namespace duo
