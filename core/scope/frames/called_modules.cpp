// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/called_modules.h"

namespace duo {
namespace {

PathId commonPrefix(const ModulePaths& paths, PathId a, PathId b)
{
    if (!a.valid())
        return b;
    while (!paths.contains(a, b))
        a = paths.parent(a);
    return a;
}

} // namespace

bool isModuleCall(const Node& node)
{
    return node.isCall && !node.domain.empty() && !node.domain.starts_with("pkg.")
        && !node.domain.starts_with("ai.onnx") && !node.domain.starts_with("com.microsoft");
}

CalledModules::CalledModules(const Model& model, const Parameters& parameters, const ModulePaths& paths)
    : m_own(model.nodes.size())
    , m_inner(model.nodes.size())
    , m_paths(paths)
{
    for (std::size_t n = model.nodes.size(); n-- > 0;) { // bodies before their owners
        const NodeId owner = model.region(model.nodes[n].region).owner;
        if (!owner.valid())
            continue;
        if (!isModuleCall(model.nodes[n]))
            merge(m_own[owner.index], m_own[n]);
        else if (const PathId inner = module(n); inner.valid() && inner != ModulePaths::root())
            merge(m_inner[owner.index], m_paths.parent(inner));
        for (const ParameterRead& read : parameters.reads[n])
            merge(m_own[owner.index], read.owner);
    }
}

PathId CalledModules::module(std::size_t call) const
{
    if (!m_inner[call].valid() || !m_own[call].valid())
        return m_inner[call].valid() ? m_inner[call] : m_own[call];
    return commonPrefix(m_paths, m_inner[call], m_own[call]);
}

void CalledModules::merge(PathId& into, PathId path) const
{
    if (path.valid())
        into = commonPrefix(m_paths, into, path);
}

} // namespace duo
