// SPDX-License-Identifier: Apache-2.0
// NodesThere: the nodes that a state speaks of by name, in the model it is resumed on.
#pragma once

#include "core/model/model.h"
#include "core/quantize/edits/float_changes.h"
#include "core/rules/rule.h"
#include "core/scope/facts/scopes.h"
#include "core/state/find_nodes.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

class NodesThere
{
public:
    /// @param recorded the model that the state was made for; without nodes they go by their names alone
    /// @param isSameGraph as findNodes() takes it
    NodesThere(const Model& model, const Scopes& scopes, GraphRecord recorded, bool isSameGraph = false);

    [[nodiscard]] NodeId find(const std::string& name) const; // invalid if the model has no such node
    [[nodiscard]] FoundBy foundBy(const std::string& name) const; // of a node that is there
    [[nodiscard]] bool givesTheSame(const std::string& name) const; // likewise: as FoundNode has it
    [[nodiscard]] bool takesTheSame(const std::string& name) const; // likewise
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
    [[nodiscard]] std::string nameHere(const std::string& name) const; // `name` itself where it is not there

    const Model& m_model;
    GraphRecord m_recorded;
    GraphRecord m_present;
    std::vector<std::optional<FoundNode>> m_found; // [recorded]
    std::unordered_map<std::string, std::size_t> m_index; // of a recorded name
};

} // namespace duo
