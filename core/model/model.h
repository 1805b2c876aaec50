// SPDX-License-Identifier: Apache-2.0
// Model: an immutable model as nodes, values and tensors addressed by ids. Control-flow bodies are regions of the same
// node list; every call of a local function is expanded into a region of its own.
#pragma once

#include "core/model/recorded_module.h"
#include "core/model/tensor.h"
#include "core/support/id.h"
#include "core/support/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace duo {

using Metadata = std::vector<std::pair<std::string, std::string>>; // in file order

/// Value of a metadata key, "" if absent.
std::string_view metadataValue(const Metadata& metadata, std::string_view key);

/// One dimension: a size >= 0, or a symbol (may be empty: unknown).
struct Dim {
    std::optional<std::int64_t> size;
    std::string symbol;
    bool operator==(const Dim&) const = default;
};

/// Type of a value as far as it is known.
struct ValueType {
    ElementType element = ElementType::Undefined;
    std::optional<std::vector<Dim>> shape; // nothing: rank unknown
};

/// A read of a value by a node.
struct Use {
    NodeId node;
    std::uint32_t port = 0; // index into Node::inputs
    bool operator==(const Use&) const = default;
};

/// Static single assignment: one producer (a node, an initializer, or the outside).
struct Value {
    std::string name;
    ValueType type;
    NodeId producer; // invalid: graph input, body input, or initializer
    std::uint32_t producerPort = 0; // index into producer's outputs
    TensorId initializer; // valid if a tensor gives its content
    RegionId region; // where it is defined
    std::vector<Use> uses; // in node order; reads by body nodes count
    bool isInput = false; // input of the main graph that is no initializer
    bool isOutput = false; // output of the main graph, or of the control-flow body it is defined in
    Metadata metadata;
};

/// An attribute value; graphs are regions (Region::attribute), everything not listed is kept only in the source.
struct Attribute {
    std::string name;
    std::variant<std::monostate, std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
        std::vector<std::string>, TensorId>
        value;
};

/// Where a node came from: index of the node in its NodeProto list, per region's own list.
struct NodeOrigin {
    std::uint32_t index = 0;
    bool hadName = true; // its name in the file was non-empty and not taken: name == that name (plus region prefix)
};

struct Node {
    std::string name; // unique: the node's external address (resources/docs/scopes.md, "Node names")
    std::string localName; // as in the file, may be empty
    std::string opType;
    std::string domain; // "" for ai.onnx; "torch.ops" for operators of PyTorch (opType "aten.conv2d.default")
    std::vector<ValueId> inputs; // invalid: omitted
    std::vector<ValueId> outputs; // invalid: omitted
    std::vector<Attribute> attributes;
    Metadata metadata;
    RegionId region; // the list it stands in; 0 is the main graph
    NodeOrigin origin;
    /// A call of a local function: its work is done by the nodes of the regions it owns, which read its inputs and
    /// produce its outputs directly; it takes part in no dataflow itself, except for outputs passed straight through.
    bool isCall = false;

    [[nodiscard]] const Attribute* attribute(std::string_view attributeName) const;
    [[nodiscard]] std::int64_t intAttribute(std::string_view attributeName, std::int64_t fallback) const;
    [[nodiscard]] float floatAttribute(std::string_view attributeName, float fallback) const;
};

/// A list of nodes: the main graph (0), a control-flow body, or one expanded call of a function.
struct Region {
    NodeId owner; // invalid for the main graph
    std::string attribute; // "then_branch", "body"; empty for the main graph and for calls
    std::vector<NodeId> nodes; // file order
    std::vector<ValueId> inputs; // real inputs (no initializers)
    std::vector<ValueId> outputs;
};

/// What a note asks of who reads it.
enum class Severity : std::uint8_t {
    Warning, // to look whether that is meant
    Remark, // nothing
};

/// Something the reader decided or noticed that the user should be able to see.
struct Note {
    std::string kind; // stable: "renamed-node", "float16-stays-float", ...
    std::string text; // one sentence
    std::string where; // node or value name; may be empty
    Severity severity = Severity::Warning;
    bool operator==(const Note&) const = default;
};

/// The original file, opaque outside core/onnx; export edits it, so what is not modelled here survives.
class Source;

/// What is true of all models of a kind of file; its reader says it.
struct ModelFormat {
    std::string_view name; // stable, for programs: "onnx"
    std::string_view text; // "ONNX model"
    std::string_view refusal = {}; // why they are not quantized, run or exported; "": they are (ONNX models only)
    std::string_view remedy = {}; // what to do instead
    bool namesTensors = false; // parameters have the names of their tensors, not those of values
    bool recordsStacks = false; // nodes tell the modules they ran in (core/scope/frames/module_stacks.h)

    [[nodiscard]] bool canRun() const { return refusal.empty(); }
};
inline constexpr ModelFormat kOnnxFormat{"onnx", "ONNX model"};

struct Model {
    const ModelFormat* format = &kOnnxFormat; // never null; lives as long as the program
    std::filesystem::path path; // empty if not from a file
    std::int64_t fileBytes = 0; // model file plus external data
    std::int64_t irVersion = 0;
    std::map<std::string, std::int64_t> opsets; // domain ("" for ai.onnx) -> version
    std::string producerName;
    std::string producerVersion;
    std::string graphName;
    Metadata metadata; // ModelProto.metadata_props
    Metadata graphMetadata;
    std::vector<Node> nodes; // main graph in file order, each owner directly followed by its regions' nodes
    std::vector<Value> values;
    std::vector<Tensor> tensors; // initializers and attribute tensors
    std::vector<Region> regions;
    std::vector<TensorId> initializers; // of the main graph, in file order
    std::vector<NodeId> order; // all nodes, topological (an owner before its regions' nodes), stable by file order
    std::vector<Note> notes;
    std::vector<RecordedModule> modules; // definition order; empty where the format records none (ONNX)
    std::vector<RecordedKey> keys; // definition order; empty where the format records none (ONNX)
    std::shared_ptr<const Source> source; // null for models built in memory, and for formats other than ONNX

    std::unordered_map<std::string, NodeId> nodeIndex;
    std::unordered_map<std::string, ValueId> valueIndex; // by name, of bodies by address; none inside calls

    [[nodiscard]] const Node& node(NodeId id) const { return nodes[id.index]; }
    [[nodiscard]] const Value& value(ValueId id) const { return values[id.index]; }
    [[nodiscard]] const Tensor& tensor(TensorId id) const { return tensors[id.index]; }
    [[nodiscard]] const Region& region(RegionId id) const { return regions[id.index]; }
    [[nodiscard]] const Region& mainGraph() const { return regions.front(); }
    [[nodiscard]] NodeId findNode(std::string_view name) const; // invalid if absent
    [[nodiscard]] ValueId findValue(std::string_view name) const; // or address (addressOf); invalid if absent
    /// The constant a value holds: an initializer or the output of a Constant node; null otherwise.
    [[nodiscard]] const Tensor* constant(ValueId id) const;
    [[nodiscard]] std::int64_t opset() const; // of ai.onnx; 0 if not imported
    [[nodiscard]] bool isInFunction(const Node& node) const; // it stands in a call of a local function
};

/// Completes a draft whose nodes (localName, region, inputs, outputs), values (name, initializer, region, isInput,
/// isOutput), tensors and regions are filled: gives unique node names (resources/docs/scopes.md, "Node names") with a
/// note for each invented one, fills producers, uses, order, element types and the indices. O(nodes + uses).
/// @return MalformedModel for a cycle (names a node on it)
Result<std::shared_ptr<const Model>> sealModel(Model draft);

} // namespace duo
