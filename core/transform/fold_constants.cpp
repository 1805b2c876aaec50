// SPDX-License-Identifier: Apache-2.0
#include "core/model/held_tensors.h"
#include "core/transform/common_passes.h"
#include "core/transform/constant_part.h"
#include "core/transform/edit_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kLeastShared = 1024; // bytes: smaller ones stay where they are, under their names

struct ByContent {
    bool operator()(const NewTensor* a, const NewTensor* b) const
    {
        return std::tie(a->type, a->dims, a->bytes) < std::tie(b->type, b->dims, b->bytes);
    }
};

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
        write();
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
                m_computed.push_back(output);
        }
    }

    /// Equal results stand once, where all their readers see them.
    void write()
    {
        std::map<const NewTensor*, std::vector<ValueId>, ByContent> equal;
        for (const ValueId value : m_computed) {
            const NewTensor& tensor = m_values.tensors.at(value.index);
            if (tensor.bytes.size() < kLeastShared)
                m_edits.newTensors.push_back(tensor);
            else
                equal[&tensor].push_back(value);
        }
        for (const auto& [tensor, values] : equal) {
            if (values.size() == 1)
                m_edits.newTensors.push_back(*tensor);
            else
                share(values);
        }
    }

    /// Under the first of their names, wherever that stands in the file.
    void share(const std::vector<ValueId>& values)
    {
        if (!m_names)
            m_names.emplace(m_model); // few models need any
        const ValueId first = std::ranges::min(values, {}, [&](ValueId value) { return m_model.value(value).name; });
        NewTensor tensor = m_values.tensors.at(first.index);
        tensor.name = m_names->value(tensor.name + "_shared");
        for (const ValueId value : values) {
            tensor.region = around(tensor.region, m_model.value(value).region);
            for (const Use& use : m_model.value(value).uses) {
                if (!m_goes[use.node.index])
                    m_edits.inputs.push_back({use.node, use.port, tensor.name});
            }
        }
        m_edits.newTensors.push_back(std::move(tensor));
    }

    /// The innermost graph that holds both.
    [[nodiscard]] RegionId around(RegionId a, RegionId b) const
    {
        while (a != b) {
            RegionId& inner = depthOf(a) > depthOf(b) ? a : b;
            inner = m_model.node(m_model.region(inner).owner).region;
        }
        return a;
    }

    [[nodiscard]] int depthOf(RegionId region) const
    {
        int depth = 0;
        for (NodeId owner = m_model.region(region).owner; owner.valid(); ++depth)
            owner = m_model.region(m_model.node(owner).region).owner;
        return depth;
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
    std::vector<ValueId> m_computed; // results that nothing gives any more
    std::optional<EditNames> m_names;
    EditList m_edits;
    PassResult m_result;
};

} // namespace

PassResult foldConstants(const PassScene& scene)
{
    return scene.constants == nullptr ? PassResult{} : ConstantFolding(scene).run();
}

} // namespace duo
