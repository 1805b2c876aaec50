// SPDX-License-Identifier: Apache-2.0
#include "core/model/held_tensors.h"
#include "core/transform/common_passes.h"
#include "core/transform/constant_part.h"

#include <algorithm>

namespace duo {
namespace {

class ConstantFolding
{
public:
    explicit ConstantFolding(const PassScene& scene)
        : m_model(scene.model)
        , m_values(*scene.constants)
        , m_isResult(scene.model.values.size())
        , m_goes(scene.model.nodes.size())
    {
    }

    PassResult run()
    {
        m_result.skipped = m_values.part.skipped;
        for (const ValueId value : m_values.part.results)
            m_isResult[value.index] = true;
        for (auto id = m_values.part.nodes.rbegin(); id != m_values.part.nodes.rend(); ++id)
            visit(*id);
        std::ranges::reverse(m_result.applied);
        if (!m_result.applied.empty())
            m_result.edits = std::move(m_edits);
        return std::move(m_result);
    }

private:
    /// Readers come first.
    void visit(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (isConstantNode(node))
            return; // those that nobody reads any more are dead code
        bool isFolded = true;
        bool isMissing = false;
        for (const ValueId output : node.outputs) {
            if (!output.valid())
                continue;
            isMissing = isMissing || (m_isResult[output.index] && !m_values.tensors.contains(output.index));
            isFolded = isFolded && (m_isResult[output.index] || isReadByGoneOnly(output));
        }
        if (isMissing)
            m_result.skipped.push_back({id,
                node.region == RegionId(0) ? m_values.problem
                                           : "it is in a body, and only the engine could compute it"});
        if (isMissing || !isFolded)
            return;
        m_goes[id.index] = true;
        m_edits.removedNodes.push_back(id);
        m_result.applied.push_back(id);
        for (const ValueId output : node.outputs) {
            if (output.valid() && m_isResult[output.index])
                m_edits.newTensors.push_back(m_values.tensors.at(output.index));
        }
    }

    /// What is read by one that stays, because the engine could not compute it, stays as well.
    [[nodiscard]] bool isReadByGoneOnly(ValueId value) const
    {
        return std::ranges::all_of(m_model.value(value).uses, [&](const Use& use) { return m_goes[use.node.index]; });
    }

    const Model& m_model;
    const ComputedConstants& m_values;
    std::vector<bool> m_isResult; // [values]
    std::vector<bool> m_goes; // [nodes]
    EditList m_edits;
    PassResult m_result;
};

} // namespace

PassResult foldConstants(const PassScene& scene)
{
    return scene.constants == nullptr ? PassResult{} : ConstantFolding(scene).run();
}

} // namespace duo
