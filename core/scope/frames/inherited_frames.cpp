// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/frame_repairs.h"

#include <algorithm>

namespace duo {
namespace {

/// Functions of exporters and runtimes are operators, not modules.
bool isModuleFunction(const Node& node)
{
    return node.isCall && !node.domain.empty() && !node.domain.starts_with("pkg.")
        && !node.domain.starts_with("ai.onnx") && !node.domain.starts_with("com.microsoft");
}

PathId commonPrefix(const ModulePaths& paths, PathId a, PathId b)
{
    if (!a.valid())
        return b;
    while (!paths.contains(a, b))
        a = paths.parent(a);
    return a;
}

/// Module of every call inside a function, from what its body reads: the module that owns all of it, or the one above
/// the modules that its inner calls run. Invalid where nothing tells.
class CalledModules
{
public:
    CalledModules(const Model& model, const Parameters& parameters, const ModulePaths& paths)
        : m_own(model.nodes.size())
        , m_inner(model.nodes.size())
        , m_paths(paths)
    {
        for (std::size_t n = model.nodes.size(); n-- > 0;) { // bodies before their owners
            const NodeId owner = model.region(model.nodes[n].region).owner;
            if (!owner.valid())
                continue;
            if (!isModuleFunction(model.nodes[n]))
                merge(m_own[owner.index], m_own[n]);
            else if (const PathId inner = module(n); inner.valid() && inner != ModulePaths::root())
                merge(m_inner[owner.index], m_paths.parent(inner));
            for (const ParameterRead& read : parameters.reads[n])
                merge(m_own[owner.index], read.owner);
        }
    }

    [[nodiscard]] PathId module(std::size_t call) const
    {
        if (!m_inner[call].valid() || !m_own[call].valid())
            return m_inner[call].valid() ? m_inner[call] : m_own[call];
        return commonPrefix(m_paths, m_inner[call], m_own[call]);
    }

private:
    void merge(PathId& into, PathId path) const
    {
        if (path.valid())
            into = commonPrefix(m_paths, into, path);
    }

    std::vector<PathId> m_own; // common owner of what the body's own nodes read
    std::vector<PathId> m_inner; // common prefix of the modules that hold those of inner calls
    const ModulePaths& m_paths;
};

} // namespace

void inheritFrames(const Model& model, const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    if (model.regions.size() < 2)
        return;
    const CalledModules modules(model, parameters, paths);
    std::int32_t nextSite = -2; // below every spelling and kNoMark
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const Node& node = model.nodes[n];
        const NodeId owner = model.region(node.region).owner;
        const bool isModule = isModuleFunction(node);
        if (owner.valid() && !nodes[n].isScoped && nodes[owner.index].isScoped) {
            nodes[n] = nodes[owner.index];
            nodes[n].isFiller = false;
            if (!model.node(owner).isCall) {
                nodes[n].from = Provenance::Dataflow;
                nodes[n].isMade = true;
            }
            const PathId module = isModule ? modules.module(n) : PathId{};
            if (module.valid() && module != ModulePaths::root()) {
                nodes[n].frames.push_back({module, nextSite--});
                nodes[n].from = Provenance::Dataflow;
            }
        }
        if (isModule && nodes[n].isScoped) {
            const PathId module = nodes[n].frames.empty() ? ModulePaths::root() : nodes[n].frames.back().path;
            paths.setClassName(module, node.domain + "." + node.opType);
        }
    }
}

} // namespace duo
