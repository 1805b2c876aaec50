// SPDX-License-Identifier: Apache-2.0
// CodeIslands: values in codes that belong together, because nodes compute one from another without floats between.
#pragma once

#include "core/interchange/found_quantizers.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace duo {

class CodeIslands
{
public:
    /// O(nodes + uses).
    explicit CodeIslands(const Model& model);

    /// Whether a value is codes that a quantizer or an operator on codes gives.
    [[nodiscard]] bool hasCodes(ValueId value) const { return value.valid() && m_island[value.index] != 0; }
    /// Whether it is, and all of its island can become floats: made by quantizers, read by what has a float form.
    [[nodiscard]] bool canGo(ValueId value) const;
    /// Whether a node carries codes as they are (Reshape, MaxPool), and all of its island can become floats.
    [[nodiscard]] bool isMover(NodeId node) const { return m_isMover[node.index]; }
    /// Whether it is such a node, and what it carries are constant codes: a table that rows are taken from.
    [[nodiscard]] bool carriesTable(NodeId node) const { return m_carriesTable[node.index]; }
    /// A DequantizeLinear that reads the island of a value; of tables all of one scale. Invalid where there is none.
    [[nodiscard]] NodeId dequantizerOf(ValueId value) const { return m_dequantizers[rootOf(m_island[value.index])]; }
    /// What keeps islands as they are that quantizers made or read.
    [[nodiscard]] std::vector<NotRecovered> blockers() const;

private:
    void join(ValueId one, ValueId other);
    [[nodiscard]] std::uint32_t rootOf(std::uint32_t island) const;
    [[nodiscard]] bool readsOtherCodes(const Node& node, std::size_t from) const;
    void give(NodeId id);
    void judge(ValueId id, const std::vector<bool>& isPinned);
    void addDequantizer(ValueId codes, NodeId id);
    [[nodiscard]] bool hasOneScale(ValueId value) const;
    [[nodiscard]] bool isTable(ValueId value) const;
    [[nodiscard]] bool understands(const Use& use) const;
    [[nodiscard]] bool knowsInputs(const Node& node) const;
    void block(ValueId value, NodeId node, std::string why);

    const Model& m_model;
    std::vector<std::uint32_t> m_island; // [values] 0: none
    mutable std::vector<std::uint32_t> m_parent; // [islands]
    std::vector<bool> m_isBlocked; // [islands] at roots
    std::vector<bool> m_isQuantized; // [islands] at roots: not only a table of integers
    std::vector<bool> m_hasManyScales; // [islands] at roots: those that dequantize it do not agree
    std::vector<NodeId> m_dequantizers; // [islands] at roots
    std::vector<bool> m_isMover; // [nodes]
    std::vector<bool> m_carriesTable; // [nodes]
    std::vector<std::pair<ValueId, NotRecovered>> m_blockers;
};

} // namespace duo
