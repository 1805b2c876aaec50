// SPDX-License-Identifier: Apache-2.0
// NodeRecords: what a state keeps of every node, so that it is found again in a model whose nodes have other names
// (resources/docs/state.md, "Nodes with other names").
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/scopes.h"
#include "core/support/json_fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duo {

struct NodeRecord {
    std::string name;
    std::string opType; // with its domain, if it is another than ai.onnx: "com.microsoft.Gelu"
    std::string scope; // execution scope, "/" for the root; "" where it was a guess
    std::vector<std::string> keys; // parameters it reads
    std::vector<std::int32_t> inputs; // index of what gives each; -1: constant or omitted; -2 - i: input i of the model
    std::string form
        = {}; // digest of its attributes, and of sizes and whole numbers of constants it reads; "": unknown
    std::string weights = {}; // digest of the first 4 KB of the largest floats it reads; "": none, or all alike
    std::vector<std::uint32_t> ports = {}; // which output of its giver each input is; empty: the first of each
    bool operator==(const NodeRecord&) const = default;
};

struct GraphRecord {
    std::vector<NodeRecord> nodes; // [Model::nodes]; older states have none
    std::vector<std::int32_t> outputs; // what gives each output of the model, as NodeRecord::inputs; empty: not known
    std::optional<std::vector<std::string>> inputNames
        = {}; // of the model; older states know none, nor NodeRecord::ports
    std::vector<std::string> outputNames = {};
    bool operator==(const GraphRecord&) const = default;
};

/// Of all nodes; Identity and Dropout are looked through. O(nodes + uses + attributes).
/// @param weighed the model before its float changes, whose weights count; names of nodes are the same
GraphRecord graphRecord(const Model& model, const Scopes& scopes, const Model& weighed);
inline GraphRecord graphRecord(const Model& model, const Scopes& scopes)
{
    return graphRecord(model, scopes, model);
}

/// Where a record is not that of the same graph now: "its inputs", "node 'x'"; "" where it is. Names of nodes, and what
/// metadata tell of them (scopes, parameters), may be others; weights count where `areWeightsSame` and names are.
std::string differenceOf(const GraphRecord& then, const GraphRecord& now, bool areWeightsSame);

/// [name, operator, scope, keys, inputs, form, weights, ports] each, without the last ones where they are empty.
nlohmann::ordered_json nodeRecordsJson(const std::vector<NodeRecord>& records);
/// What gives each output of a model of so many nodes.
Result<std::vector<std::int32_t>> giversFromJson(
    const nlohmann::ordered_json& json, const JsonPlace& place, std::size_t nodes);
/// @return an error at `place` for what is no such list, or an input that is no node of it
Result<std::vector<NodeRecord>> nodeRecordsFromJson(const nlohmann::ordered_json& json, const JsonPlace& place);

} // namespace duo
