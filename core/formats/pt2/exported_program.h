// SPDX-License-Identifier: Apache-2.0
// ExportedProgram: the JSON of torch.export.save (schema majors 7 and 8, torch/_export/serde/schema.py) as values.
#pragma once

#include "core/model/model.h"
#include "core/support/job.h"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace duo {

struct ExportGraph;

/// An argument of a node: names of values it reads, and what it says itself.
struct ExportArgument {
    std::string name; // of the operator's parameter; "" for operators without a schema
    std::vector<std::string> values; // names; "" for a tensor left out
    bool isList = false; // of values
    /// Not a tensor; monostate: nothing, or values only. Lists of sizes with symbols are texts.
    decltype(Attribute::value) constant;
    std::string graphName;
    std::shared_ptr<ExportGraph> graph; // the body of a higher-order operator
    std::string unknownKind; // of the union, where it is not understood
};

struct ExportNode {
    std::string target; // "torch.ops.aten.conv2d.default"
    std::string name; // "" before schema 8.8
    std::vector<ExportArgument> inputs;
    std::vector<ExportArgument> outputs;
    Metadata metadata;
};

struct ExportGraph {
    std::vector<ExportArgument> inputs;
    std::vector<ExportArgument> outputs;
    std::vector<ExportNode> nodes;
    std::unordered_map<std::string, ValueType> types; // of tensors and of symbolic numbers
};

/// Of the facts, a call's signature, before its path ("b.0", "b.0@1"), and what stands before facts in a model's
/// metadata.
inline constexpr std::string_view kCallSignature = "module_call_signature:";
inline constexpr std::string_view kFactsInMetadata = "torch.export.";

inline constexpr std::string_view kTorchDomain = "torch.ops"; // of nodes that are operators of PyTorch

enum class ExportInputKind { User, Parameter, Buffer, TensorConstant, Other };

/// What the signature says of one input of the graph.
struct ExportInput {
    ExportInputKind kind = ExportInputKind::Other;
    std::string value; // name in the graph
    std::string target; // "layer1.0.weight"
    bool isPersistent = true; // in the state_dict
};

struct ExportOutput {
    std::string kind; // as the ONNX exporter writes it: "USER_OUTPUT", "BUFFER_MUTATION"
    std::string value;
    std::string target; // of a mutation
};

struct ExportedProgram {
    std::int64_t schemaMajor = 0;
    std::int64_t schemaMinor = 0;
    std::string torchVersion;
    std::map<std::string, std::int64_t> opsets;
    ExportGraph graph;
    std::vector<ExportInput> inputs;
    std::vector<ExportOutput> outputs;
    std::vector<std::string> modulePaths; // of all registered modules, in definition order, aliases included
    Metadata facts; // schema version, ranges of symbols, signatures of modules: JSON texts
    std::vector<Note> notes;
};

/// Unknown members and unknown kinds of arguments are passed over, with a note for the latter.
/// @param where names the document in errors
/// @return MalformedModel: not the JSON of a program; Unsupported: another schema version; Cancelled
Result<ExportedProgram> readExportedProgram(
    std::span<const std::byte> json, const std::string& where, const JobContext& job);

} // namespace duo
