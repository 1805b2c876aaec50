// SPDX-License-Identifier: Apache-2.0
// Elimination: nodes on their way out of a model, whose readers read other values instead.
#pragma once

#include "core/transform/pass.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

/// [values] that are read or given in ways that Value::uses and isOutput do not tell: what local functions and their
/// calls read and give, and what a body gives from outside of it. O(nodes + reads).
std::vector<bool> pinnedValues(const Model& model);

/// Nodes are to be offered in topological order. Values that local functions read or give, and outputs of a graph
/// whose name no other value can take over, stay.
class Elimination
{
public:
    explicit Elimination(const PassScene& scene); // O(nodes + reads)

    /// What a value is by now: itself, or what its readers read instead.
    [[nodiscard]] ValueId now(ValueId value) const;
    /// Whether a pass may look at a node: it is neither kept nor in a function.
    [[nodiscard]] bool mayChange(NodeId node) const;

    /// Whether bypass() would do it, as things are now.
    [[nodiscard]] bool canBypass(NodeId node, ValueId by) const;
    /// Takes a node out: who reads its first output reads `by` from now on. Its other outputs must not be read.
    /// False where it has to stay; skips are told in the result.
    bool bypass(NodeId node, ValueId by);
    /// Takes a node out whose outputs another one of the same list gives as well. Where that stands behind it in the
    /// file, it takes the place before this one; it must have attributes of numbers and texts only, and no body.
    bool join(NodeId node, NodeId into);
    /// Lets an input be another value, the node be another form of itself.
    void rewire(NodeId node, std::uint32_t port, ValueId value);
    void set(NodeId node, Attribute attribute);
    /// Another name for a value that a node gives and no graph has to: its readers follow. To be said last.
    void rename(ValueId value, std::string name);
    /// What readers of a value read by its name in the end.
    [[nodiscard]] std::string nameNow(ValueId value) const;
    void note(NodeId node); // it was changed
    void fuse(NodeId stays, NodeId goes); // what is taken out became a part of another one

    [[nodiscard]] PassResult result() &&;

private:
    [[nodiscard]] std::optional<std::string> whyStays(ValueId old, ValueId by) const;
    [[nodiscard]] bool isUnique(const std::string& name) const;
    void replace(ValueId old, ValueId by);
    void moveNodes();

    const PassScene& m_scene;
    const Model& m_model;
    std::vector<bool> m_isPinned; // [values]
    std::vector<ValueId> m_by; // [values] invalid: itself
    std::unordered_map<std::uint32_t, std::string> m_names; // new ones, of values that became outputs
    std::unordered_map<std::string, int> m_counts; // of names, where there are bodies
    std::vector<ValueId> m_replaced;
    std::unordered_map<std::uint64_t, ValueId> m_rewired; // node and port
    std::unordered_map<std::uint32_t, NodeId> m_places; // of nodes that move: before which other one
    EditList m_edits;
    PassResult m_result;
};

} // namespace duo
