// SPDX-License-Identifier: Apache-2.0
// Containment: which boxes can stand inside which. Execution scopes, their nodes, model inputs and outputs as a tree in
// which no container holds more than kMostItems items.
#pragma once

#include "core/model/model.h"
#include "core/scope/scope.h"

#include <set>
#include <string>
#include <vector>

namespace duo {

/// Something that stands inside a container.
struct ContainedItem {
    enum class Kind { Node, Container, Input, Output };
    Kind kind = Kind::Node;
    std::uint32_t index = 0; // NodeId, container or ValueId
};

struct Container {
    std::string key; // execution path; groups: "<path>//<first>-<last>", "//inputs", "//outputs"
    ScopeId scope; // the scope itself, or the one the group stands in
    bool isGroup = false;
    std::string title; // groups: "inputs", "layers.0–60 ×61"
    std::uint32_t parent = 0; // container; the root is its own parent
    std::vector<ContainedItem> items; // in the order of canonicalOrder(), inputs first, outputs last
    std::int64_t nodes = 0; // drawn nodes here and below
};

struct Containment {
    static constexpr std::size_t kMostItems = 60; // of one container, inputs and outputs of the root not counted
    static constexpr std::size_t kFewItems = 20; // likewise, for panes in which 60 cannot be read
    static constexpr std::size_t kMostLooseInputs = 8; // more inputs (or outputs) stand in a group of their own

    std::size_t most = kMostItems; // items of one container
    std::vector<Container> containers; // [0] is the root
    std::vector<NodeId> order; // all nodes as canonicalOrder() has them
    std::vector<std::uint32_t> ofNode; // [Model::nodes] container that holds it, kHidden if it is not drawn
    static constexpr std::uint32_t kHidden = 0xFFFFFFFF;

    /// Keys of the containers around a container and its own, outermost first, without the root.
    [[nodiscard]] std::vector<std::string> keysTo(std::uint32_t container) const;
};

/// A node that gets a box: no Constant, and no call of a function that only stands for the nodes inside.
bool isDrawn(const Model& model, NodeId node);

/// A scope that holds a single drawn node is replaced by that node, but for the body of a control-flow node; an empty
/// one is left out. Ids depend on the model and on `most` alone. O(nodes + scopes).
/// @param most items of one container, 2 or more
Containment findContainment(const Model& model, const Scopes& scopes, std::size_t most = Containment::kMostItems);

/// Among keys of open boxes: containers hold at most kFewItems items.
inline constexpr const char* kFewItemsMark = "//few";

/// Items of one container where these keys are open.
std::size_t mostItems(const std::set<std::string>& open);

} // namespace duo
