// SPDX-License-Identifier: Apache-2.0
// Slices behind each other that cut along different axes.
#include "core/model/constant_conditions.h"
#include "core/model/only_use.h"
#include "core/transform/common_passes.h"
#include "core/transform/edit_names.h"
#include "core/transform/elimination.h"
#include "core/transform/known_ranks.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace duo {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Starts, ends, axes from the front, steps: as many of each.
using Cut = std::array<Numbers, 4>;

class SliceJoining
{
public:
    explicit SliceJoining(const PassScene& scene)
        : m_scene(scene)
        , m_model(scene.model)
        , m_names(scene.model)
        , m_ranks(scene.model)
        , m_isPinned(pinnedValues(scene.model))
        , m_isDone(scene.model.nodes.size())
    {
    }

    PassResult run()
    {
        for (const NodeId id : m_model.order) {
            if (m_isDone[id.index] || !isSlice(id))
                continue;
            const auto use = onlyUse(m_model, m_model.node(id));
            if (use && use->port == 0 && isSlice(use->node) && !m_isDone[use->node.index]
                && m_model.node(use->node).region == m_model.node(id).region
                && !m_isPinned[m_model.node(id).outputs[0].index])
                join(id, use->node);
        }
        if (!m_result.applied.empty())
            m_result.edits = std::move(m_edits);
        return std::move(m_result);
    }

private:
    [[nodiscard]] bool isSlice(NodeId id) const
    {
        const Node& node = m_model.node(id);
        return node.opType == "Slice" && node.domain.empty() && node.inputs.size() > 2 && node.inputs[0].valid()
            && !m_model.isInFunction(node) && m_scene.mayChange(id);
    }

    void join(NodeId first, NodeId second)
    {
        auto cut = cutOf(m_model.node(first));
        const auto more = cutOf(m_model.node(second));
        if (!cut || !more || std::ranges::find_first_of((*cut)[2], (*more)[2]) != (*cut)[2].end())
            return;
        static constexpr std::array<const char*, 4> kParts{"_starts", "_ends", "_axes", "_steps"};
        const std::string& output = m_model.value(m_model.node(second).outputs[0]).name;
        m_edits.inputs.push_back({second, 0, m_model.value(m_model.node(first).inputs[0]).name});
        for (std::size_t part = 0; part < kParts.size(); ++part) {
            (*cut)[part].insert((*cut)[part].end(), (*more)[part].begin(), (*more)[part].end());
            NewTensor tensor{m_names.value(output + kParts[part]), ElementType::Int64,
                {static_cast<std::int64_t>((*cut)[part].size())},
                std::vector<std::byte>((*cut)[part].size() * sizeof(std::int64_t))};
            std::memcpy(tensor.bytes.data(), (*cut)[part].data(), tensor.bytes.size());
            m_edits.inputs.push_back({second, static_cast<std::uint32_t>(part + 1), tensor.name});
            m_edits.newTensors.push_back(std::move(tensor));
        }
        m_edits.removedNodes.push_back(first);
        m_result.applied.push_back(first);
        m_result.fused.emplace_back(second, first);
        m_isDone[first.index] = m_isDone[second.index] = true;
    }

    [[nodiscard]] std::optional<Numbers> numbersAt(const Node& node, std::size_t port) const
    {
        if (port >= node.inputs.size() || !node.inputs[port].valid()
            || isOverridable(m_model, m_model.value(node.inputs[port])))
            return std::nullopt;
        const Tensor* tensor = m_model.constant(node.inputs[port]);
        return tensor != nullptr && tensor->elements() > 0 ? std::optional(toInts(*tensor)) : std::nullopt;
    }

    [[nodiscard]] std::optional<Cut> cutOf(const Node& node) const
    {
        const auto starts = numbersAt(node, 1);
        const auto ends = numbersAt(node, 2);
        auto axes = numbersAt(node, 3);
        auto steps = numbersAt(node, 4);
        const bool hasSteps = node.inputs.size() > 4 && node.inputs[4].valid();
        if (!starts || !ends || !axes || (hasSteps && !steps))
            return std::nullopt;
        if (!steps)
            steps = Numbers(starts->size(), 1);
        if (ends->size() != starts->size() || axes->size() != starts->size() || steps->size() != starts->size())
            return std::nullopt;
        const auto rank = m_ranks.of(node.inputs[0]);
        for (std::int64_t& axis : *axes) {
            if (axis < 0 && !rank)
                return std::nullopt;
            axis += axis < 0 ? *rank : 0;
        }
        return Cut{*starts, *ends, *axes, *steps};
    }

    const PassScene& m_scene;
    const Model& m_model;
    EditNames m_names;
    KnownRanks m_ranks;
    std::vector<bool> m_isPinned; // [values]
    std::vector<bool> m_isDone; // [nodes]
    EditList m_edits;
    PassResult m_result;
};

} // namespace

PassResult joinSlices(const PassScene& scene)
{
    return scene.model.irVersion < kInitializersNeedNoInput ? PassResult{} : SliceJoining(scene).run();
}

} // namespace duo
