// SPDX-License-Identifier: Apache-2.0
// NodeRecords: what a state keeps of every node, so that it is found again in a model whose nodes have other names
// (resources/docs/state.md, "Nodes with other names").
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/scopes.h"
#include "core/support/json_fields.h"

#include <cstdint>
#include <string>
#include <vector>

namespace duo {

struct NodeRecord {
    std::string name;
    std::string opType; // with its domain, if it is another than ai.onnx: "com.microsoft.Gelu"
    std::string scope; // execution scope; "" where it was a guess
    std::vector<std::string> keys; // parameters it reads
    std::vector<std::int32_t> inputs; // index of what gives each; -1: constant or omitted; -2 - i: input i of the model
    std::string form
        = {}; // digest of its attributes, and of sizes and whole numbers of constants it reads; "": unknown
    bool operator==(const NodeRecord&) const = default;
};

struct GraphRecord {
    std::vector<NodeRecord> nodes; // [Model::nodes]; older states have none
    std::vector<std::int32_t> outputs; // what gives each output of the model, as NodeRecord::inputs; empty: not known
    bool operator==(const GraphRecord&) const = default;
};

/// Of all nodes; Identity and Dropout are looked through. O(nodes + uses + attributes).
GraphRecord graphRecord(const Model& model, const Scopes& scopes);

/// [name, operator, scope, keys, inputs, form] each.
nlohmann::ordered_json nodeRecordsJson(const std::vector<NodeRecord>& records);
/// What gives each output of a model of so many nodes.
Result<std::vector<std::int32_t>> giversFromJson(
    const nlohmann::ordered_json& json, const JsonPlace& place, std::size_t nodes);
/// @return an error at `place` for what is no such list, or an input that is no node of it
Result<std::vector<NodeRecord>> nodeRecordsFromJson(const nlohmann::ordered_json& json, const JsonPlace& place);

} // namespace duo
