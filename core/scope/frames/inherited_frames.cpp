// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/called_modules.h"
#include "core/scope/frames/frame_repairs.h"

#include <algorithm>

namespace duo {
namespace {

class Inheritance
{
public:
    Inheritance(const Model& model, const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes)
        : m_model(model)
        , m_parameters(parameters)
        , m_paths(paths)
        , m_nodes(nodes)
        , m_modules(model, parameters, paths)
    {
    }

    void run()
    {
        dropNameOfWholeModel();
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            const NodeId owner = m_model.region(m_model.nodes[n].region).owner;
            if (owner.valid() && !m_nodes[n].isScoped && m_nodes[owner.index].isScoped)
                inherit(n, owner);
            if (isModuleCall(m_model.nodes[n]) && m_nodes[n].isScoped)
                m_paths.setClassName(innermost(n), m_model.nodes[n].domain + "." + m_model.nodes[n].opType);
        }
    }

private:
    PathId innermost(std::size_t n) const
    {
        const auto& frames = m_nodes[n].frames;
        return frames.empty() ? ModulePaths::root() : frames.back().path;
    }

    void inherit(std::size_t n, NodeId owner)
    {
        FramedNode& framed = m_nodes[n];
        framed = m_nodes[owner.index];
        if (!m_model.node(owner).isCall) {
            framed.from = Provenance::Guess; // modules may run in a body, too
            framed.isMade = true;
        }
        if (isModuleCall(m_model.nodes[n]))
            push(framed, m_modules.module(n), m_nextSite--);
        else if (isModuleCall(m_model.node(owner)))
            push(framed, childThatOwns(n), kNoMark);
    }

    static void push(FramedNode& framed, PathId module, std::int32_t site)
    {
        if (!module.valid() || module == ModulePaths::root())
            return;
        framed.frames.push_back({module, site});
        framed.from = Provenance::Dataflow;
    }

    /// Names in a function's body are bare: a node that works with the parameters of a module below the function's is
    /// taken to run in that module.
    PathId childThatOwns(std::size_t n) const
    {
        const auto& reads = m_parameters.reads[n];
        const bool isOne = std::all_of(
            reads.begin(), reads.end(), [&](const ParameterRead& read) { return read.owner == reads[0].owner; });
        if (reads.empty() || !isOne || !reads[0].owner.valid() || reads[0].owner == innermost(n)
            || !m_paths.contains(innermost(n), reads[0].owner))
            return {};
        return reads[0].owner;
    }

    /// Where the whole model is one function, its call is named after the last call inside: the name says nothing.
    void dropNameOfWholeModel()
    {
        const auto& nodes = m_model.mainGraph().nodes;
        if (nodes.size() == 1 && isModuleCall(m_model.node(nodes[0])) && m_modules.module(nodes[0].index).valid()
            && !m_paths.contains(innermost(nodes[0].index), m_modules.module(nodes[0].index)))
            m_nodes[nodes[0].index].frames.clear();
    }

    const Model& m_model;
    const Parameters& m_parameters;
    ModulePaths& m_paths;
    std::vector<FramedNode>& m_nodes;
    CalledModules m_modules;
    std::int32_t m_nextSite = -2; // below every spelling and kNoMark
};

} // namespace

void inheritFrames(const Model& model, const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    if (model.regions.size() > 1)
        Inheritance(model, parameters, paths, nodes).run();
}

} // namespace duo
