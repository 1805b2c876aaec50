// SPDX-License-Identifier: Apache-2.0
// NodesThere: the nodes that a state speaks of by name, in the model it is resumed on.
#pragma once

#include "core/model/model.h"
#include "core/quantize/edits/float_changes.h"
#include "core/rules/rule.h"
#include "core/scope/facts/scopes.h"
#include "core/state/find_nodes.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

/// A node that a change of the float model puts before another one.
struct AddedNode {
    std::string was; // name
    std::string is;
    std::string before; // which had this name
};

class NodesThere
{
public:
    /// @param recorded the model that the state was made for; without nodes they go by their names alone
    /// @param isSameGraph as findNodes() takes it
    NodesThere(const Model& model, const Scopes& scopes, GraphRecord recorded, bool isSameGraph = false);

    /// The same nodes where the model was changed.
    /// @param changed the model with its nodes under the same names, and nodes that `added` has: names that they had,
    /// and have, and a node by whose place theirs is known
    [[nodiscard]] NodesThere in(const Model& changed, const std::vector<AddedNode>& added) const;

    [[nodiscard]] NodeId find(const std::string& name) const; // invalid if the model has no such node
    [[nodiscard]] FoundBy foundBy(const std::string& name) const; // of a node that is there
    [[nodiscard]] bool givesTheSame(const std::string& name) const; // likewise: as FoundNode has it
    [[nodiscard]] bool takesTheSame(const std::string& name) const; // likewise
    /// Input of the model that was the i-th one; invalid if it has none.
    [[nodiscard]] ValueId input(std::uint32_t i) const;
    [[nodiscard]] FoundBy inputFoundBy(std::uint32_t i) const; // of one that is there

    /// Nodes are recorded, and the model has none of them.
    [[nodiscard]] bool areAllGone() const { return !m_recorded.nodes.empty() && m_recordedHere.empty(); }
    /// Whether one of the state is this node, or input of the model; true where nothing is recorded.
    [[nodiscard]] bool isRecorded(NodeId node) const;
    [[nodiscard]] bool isRecorded(ValueId input) const;
    /// Nodes of the model that none of the state is, and that give other numbers than they read.
    [[nodiscard]] std::vector<NodeId> newNodes() const;

    /// Behind "the model has no node 'a'": " (nearest: 'b', 'c')", or that the one of this name is another; "" where
    /// none is of its operator, or nothing is recorded.
    [[nodiscard]] std::string nearest(const std::string& name) const;

    /// The rules with the names that nodes have here.
    [[nodiscard]] RuleSet renamed(RuleSet rules) const;
    /// A change with the names that nodes and values have here. @return BadState naming a node that is not there, or
    /// that it does not fit
    [[nodiscard]] Result<FloatChange> renamed(FloatChange change) const;

private:
    [[nodiscard]] FoundNode foundAt(const std::string& name) const; // as if by name where nothing is recorded
    void noteRecorded();
    [[nodiscard]] std::string nameHere(const std::string& name) const; // `name` itself where it is not there

    const Model* m_model; // never null
    GraphRecord m_recorded;
    GraphRecord m_present;
    std::vector<std::optional<FoundNode>> m_found; // [recorded], in the numbers of m_model
    std::vector<std::optional<FoundNode>> m_foundPresent; // likewise, in those of m_present
    std::set<NodeId> m_recordedHere;
    std::vector<std::optional<std::uint32_t>> m_inputs; // [recorded]; empty where they go by their numbers
    std::unordered_map<std::string, std::size_t> m_index; // of a recorded name
};

} // namespace duo
