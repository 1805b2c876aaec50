// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/edited_model.h"

#include "core/model/model.h"
#include "core/onnx/payloads.h"
#include "core/onnx/proto_values.h"
#include "core/onnx/rename_values.h"
#include "core/onnx/runtime_operators.h"
#include "core/support/result.h"
#include "core/transform/edit_list.h"

#include <google/protobuf/arena.h>
#include <onnx.pb.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace duo {
namespace {

constexpr std::string_view kOwnMetadata = "duoscope.";

/// For one proto, before its node lists are changed.
class NodeProtos
{
public:
    NodeProtos(const Model& model, onnx::ModelProto& proto)
        : m_model(model)
        , m_graphs(model.regions.size())
    {
        m_graphs.front() = proto.mutable_graph();
    }

    /// Null for a node inside an expanded function: its proto stands for all calls.
    onnx::NodeProto* find(NodeId id);
    /// The main graph, or that of a body. Null inside an expanded function.
    onnx::GraphProto* graphOf(RegionId id);

private:
    const Model& m_model;
    std::vector<std::optional<onnx::GraphProto*>> m_graphs; // [regions] found so far
};

/// The graph of attribute "body", or of "graphs.2" for the third of a list.
onnx::GraphProto* bodyOf(onnx::NodeProto& owner, const std::string& attribute)
{
    const std::size_t dot = attribute.rfind('.');
    for (auto& proto : *owner.mutable_attribute()) {
        if (proto.name() == attribute && proto.has_g())
            return proto.mutable_g();
        if (dot == std::string::npos || proto.name() != std::string_view(attribute).substr(0, dot))
            continue;
        int index = -1;
        std::from_chars(attribute.data() + dot + 1, attribute.data() + attribute.size(), index);
        if (index >= 0 && index < proto.graphs_size())
            return proto.mutable_graphs(index);
    }
    return nullptr;
}

onnx::GraphProto* NodeProtos::graphOf(RegionId id)
{
    auto& known = m_graphs[id.index];
    if (known)
        return *known;
    const Region& region = m_model.region(id);
    onnx::NodeProto* owner = region.attribute.empty() ? nullptr : find(region.owner);
    known = owner == nullptr ? nullptr : bodyOf(*owner, region.attribute);
    return *known;
}

onnx::NodeProto* NodeProtos::find(NodeId id)
{
    const Node& node = m_model.node(id);
    onnx::GraphProto* graph = graphOf(node.region);
    const auto index = static_cast<int>(node.origin.index);
    return graph != nullptr && index < graph->node_size() ? graph->mutable_node(index) : nullptr;
}

using Proto = onnx::AttributeProto;

/// Sets the value and its type; false for what a new node cannot carry.
struct AttributeSetter {
    Proto& proto;

    bool operator()(std::int64_t value) const
    {
        proto.set_i(value);
        return typed(Proto::INT);
    }
    bool operator()(float value) const
    {
        proto.set_f(value);
        return typed(Proto::FLOAT);
    }
    bool operator()(const std::string& value) const
    {
        proto.set_s(value);
        return typed(Proto::STRING);
    }
    bool operator()(const std::vector<std::int64_t>& values) const
    {
        proto.mutable_ints()->Add(values.begin(), values.end());
        return typed(Proto::INTS);
    }
    bool operator()(const std::vector<float>& values) const
    {
        proto.mutable_floats()->Add(values.begin(), values.end());
        return typed(Proto::FLOATS);
    }
    bool operator()(const std::vector<std::string>& values) const
    {
        for (const std::string& value : values)
            proto.add_strings(value);
        return typed(Proto::STRINGS);
    }
    bool operator()(std::monostate) const { return false; }
    bool operator()(TensorId) const { return false; }

    bool typed(Proto::AttributeType type) const
    {
        proto.set_type(type);
        return true;
    }
};

Status addAttribute(onnx::NodeProto& node, const Attribute& attribute)
{
    Proto& target = *node.add_attribute();
    target.set_name(attribute.name);
    if (std::visit(AttributeSetter{target}, attribute.value))
        return success();
    return Error{ErrorCode::Internal, "a node cannot be given attribute '" + attribute.name + "'",
        "node '" + node.name() + "'", "report this"};
}

/// Instead of the attribute of this name, or in addition; one without a value is removed.
/// @return Internal for a value that is no number, string or list of them
Status setAttribute(onnx::NodeProto& node, const Attribute& attribute)
{
    auto& list = *node.mutable_attribute();
    for (int i = list.size() - 1; i >= 0; --i) {
        if (list[i].name() == attribute.name)
            list.DeleteSubrange(i, 1);
    }
    if (std::holds_alternative<std::monostate>(attribute.value))
        return success();
    return addAttribute(node, attribute);
}

/// The proto of a node that moves, without what is said anew.
onnx::NodeProto* movedProto(onnx::NodeProto& original, const NewNode& node, google::protobuf::Arena& arena)
{
    auto* proto = google::protobuf::Arena::CreateMessage<onnx::NodeProto>(&arena);
    proto->Swap(&original);
    renameValues(*proto, ValueNames(node.captured.begin(), node.captured.end()));
    proto->clear_input();
    proto->clear_output();
    proto->clear_name();
    proto->clear_metadata_props();
    return proto;
}

/// @param original of a node that moves; else null
/// @return a node in the arena; Internal for an attribute that is no number, string or list of them
Result<onnx::NodeProto*> newNodeProto(const NewNode& node, onnx::NodeProto* original, google::protobuf::Arena& arena)
{
    auto* proto = original != nullptr ? movedProto(*original, node, arena)
                                      : google::protobuf::Arena::CreateMessage<onnx::NodeProto>(&arena);
    for (const std::string& input : node.inputs)
        proto->add_input(input);
    for (const std::string& output : node.outputs)
        proto->add_output(output);
    if (!node.name.empty())
        proto->set_name(node.name);
    if (original == nullptr) {
        proto->set_op_type(node.opType);
        if (!node.domain.empty())
            proto->set_domain(node.domain);
    }
    for (const Attribute& attribute : node.attributes)
        DUO_CHECK(addAttribute(*proto, attribute));
    for (const auto& [key, value] : node.metadata) {
        auto& entry = *proto->add_metadata_props();
        entry.set_key(key);
        entry.set_value(value);
    }
    return proto;
}

using Names = std::unordered_set<std::string_view>;

Error doesNotFit(const std::string& edit)
{
    return {ErrorCode::Internal, "an edit does not fit the model", edit, "report this"};
}

class Editor
{
public:
    Editor(const Model& model, const EditList& edits, EditedModel& result)
        : m_model(model)
        , m_edits(edits)
        , m_result(result)
        , m_graph(*result.proto->mutable_graph())
        , m_protos(model, *result.proto)
    {
    }

    Status apply()
    {
        DUO_CHECK(renameNodes());
        DUO_CHECK(addNodeMetadata());
        DUO_CHECK(editPorts());
        DUO_CHECK(editOperators());
        DUO_CHECK(findTensorGraphs());
        DUO_CHECK(rebuildNodes());
        DUO_CHECK(removeTensors());
        removeStaleTypes();
        raiseIrVersion();
        DUO_CHECK(addTensors());
        retypePorts();
        addOutputs();
        setMetadata();
        raiseOpsets();
        lowerOpset();
        return success();
    }

private:
    Status renameNodes()
    {
        for (const auto& [id, name] : m_edits.nodeNames) {
            if (id.index >= m_model.nodes.size())
                return doesNotFit("node name '" + name + "'");
            if (onnx::NodeProto* proto = m_protos.find(id); proto != nullptr)
                proto->set_name(name);
        }
        return success();
    }

    Status addNodeMetadata()
    {
        for (const auto& [id, entries] : m_edits.nodeMetadata) {
            onnx::NodeProto* node = id.index < m_model.nodes.size() ? m_protos.find(id) : nullptr;
            if (node == nullptr)
                return doesNotFit("node metadata");
            for (const auto& [key, value] : entries)
                addEntry(*node->mutable_metadata_props(), key, value);
        }
        return success();
    }

    /// Unless there is one of this key, which goes if it is our own.
    template <typename Entries> static void addEntry(Entries& entries, const std::string& key, const std::string& value)
    {
        const auto hasKey = [&](const auto& entry) { return entry.key() == key; };
        const bool isOwn = key.starts_with(kOwnMetadata);
        if (isOwn)
            entries.erase(std::remove_if(entries.begin(), entries.end(), hasKey), entries.end());
        if (isOwn ? value.empty() : std::ranges::any_of(entries, hasKey))
            return;
        auto& entry = *entries.Add();
        entry.set_key(key);
        entry.set_value(value);
    }

    Status editPorts()
    {
        std::vector<onnx::NodeProto*> shortened;
        for (const PortEdit& edit : m_edits.inputs) {
            onnx::NodeProto* node = edit.node.index < m_model.nodes.size() ? m_protos.find(edit.node) : nullptr;
            if (node == nullptr || edit.port > static_cast<std::uint32_t>(node->input_size()))
                return doesNotFit("input '" + edit.value + "'");
            if (edit.port == static_cast<std::uint32_t>(node->input_size()))
                node->add_input(edit.value);
            else
                node->set_input(static_cast<int>(edit.port), edit.value);
            if (edit.value.empty())
                shortened.push_back(node);
        }
        for (onnx::NodeProto* node : shortened) { // an omitted input at the end is none
            while (node->input_size() > 0 && node->input().rbegin()->empty())
                node->mutable_input()->RemoveLast();
        }
        for (const PortEdit& edit : m_edits.outputs) {
            onnx::NodeProto* node = edit.node.index < m_model.nodes.size() ? m_protos.find(edit.node) : nullptr;
            if (node == nullptr || edit.port >= static_cast<std::uint32_t>(node->output_size()))
                return doesNotFit("output '" + edit.value + "'");
            node->set_output(static_cast<int>(edit.port), edit.value);
        }
        return success();
    }

    Status editOperators()
    {
        const auto find = [&](NodeId id) { return id.index < m_model.nodes.size() ? m_protos.find(id) : nullptr; };
        for (const auto& [id, type] : m_edits.opTypes) {
            onnx::NodeProto* node = find(id);
            if (node == nullptr)
                return doesNotFit("operator '" + type + "'");
            node->set_op_type(type);
        }
        for (const AttributeEdit& edit : m_edits.attributes) {
            onnx::NodeProto* node = find(edit.node);
            if (node == nullptr)
                return doesNotFit("attribute '" + edit.attribute.name + "'");
            DUO_CHECK(setAttribute(*node, edit.attribute));
        }
        return success();
    }

    /// What changes in one node list.
    struct ListEdits {
        onnx::GraphProto* graph = nullptr;
        std::vector<onnx::NodeProto*> start;
        std::unordered_map<std::size_t, std::vector<onnx::NodeProto*>> before, after; // by index of the anchor
        std::unordered_set<std::size_t> removed;
    };

    Status rebuildNodes()
    {
        DUO_TRY(lists, listEdits());
        for (auto& [region, list] : lists)
            rebuildList(list);
        return success();
    }

    /// By region: all of them are found before the first list changes.
    Result<std::map<RegionId, ListEdits>> listEdits()
    {
        std::map<RegionId, ListEdits> lists;
        const auto listOf = [&](NodeId node, RegionId region) -> ListEdits* {
            if (node.valid() && node.index >= m_model.nodes.size())
                return nullptr;
            ListEdits& list = lists[node.valid() ? m_model.node(node).region : region];
            if (list.graph == nullptr)
                list.graph = m_protos.graphOf(node.valid() ? m_model.node(node).region : region);
            return list.graph == nullptr ? nullptr : &list;
        };
        std::vector<onnx::NodeProto*> originals; // [newNodes] of those that move
        for (const NewNode& edit : m_edits.newNodes) {
            onnx::NodeProto* original = edit.moved.index < m_model.nodes.size() ? m_protos.find(edit.moved) : nullptr;
            if (listOf(edit.anchor, edit.region) == nullptr || (edit.moved.valid() && original == nullptr))
                return doesNotFit("new node '" + edit.name + "'");
            originals.push_back(original);
        }
        for (const NodeId id : m_edits.removedNodes) {
            ListEdits* list = id.valid() ? listOf(id, {}) : nullptr;
            if (list == nullptr)
                return doesNotFit("removed node");
            list->removed.insert(m_model.node(id).origin.index);
        }
        for (std::size_t i = 0; i < m_edits.newNodes.size(); ++i) { // behind all else that finds protos
            const NewNode& edit = m_edits.newNodes[i];
            ListEdits* list = listOf(edit.anchor, edit.region);
            DUO_TRY(proto, newNodeProto(edit, originals[i], *m_result.arena));
            if (edit.anchor.valid())
                (edit.after ? list->after : list->before)[m_model.node(edit.anchor).origin.index].push_back(proto);
            else
                list->start.push_back(proto);
        }
        return lists;
    }

    /// At the start, then before, itself unless removed, and after for every original node.
    static void rebuildList(ListEdits& edits)
    {
        auto& list = *edits.graph->mutable_node();
        std::vector<onnx::NodeProto*> originals(static_cast<std::size_t>(list.size()));
        list.UnsafeArenaExtractSubrange(0, list.size(), originals.data());
        const auto add = [&](const std::vector<onnx::NodeProto*>& nodes) {
            for (onnx::NodeProto* node : nodes)
                list.UnsafeArenaAddAllocated(node);
        };
        const auto addAt = [&](const auto& lists, std::size_t index) {
            if (const auto found = lists.find(index); found != lists.end())
                add(found->second);
        };
        add(edits.start);
        for (std::size_t i = 0; i < originals.size(); ++i) {
            addAt(edits.before, i);
            if (!edits.removed.contains(i))
                list.UnsafeArenaAddAllocated(originals[i]);
            addAt(edits.after, i);
        }
    }

    template <typename List> static void removeNamed(List& list, const Names& names)
    {
        int kept = 0;
        for (int i = 0; i < list.size(); ++i) {
            if (!names.contains(list[i].name()))
                list.SwapElements(kept++, i);
        }
        list.DeleteSubrange(kept, list.size() - kept);
    }

    Status removeTensors()
    {
        DUO_CHECK(removeFrom(m_graph, Names(m_edits.removedTensors.begin(), m_edits.removedTensors.end())));
        std::map<onnx::GraphProto*, Names> inBodies;
        for (const auto& [graph, name] : m_bodyTensors)
            inBodies[graph].insert(name);
        for (const auto& [graph, names] : inBodies)
            DUO_CHECK(removeFrom(*graph, names));
        return success();
    }

    /// Of inner values that have other sizes now, and of those of the main graph that are gone.
    void removeStaleTypes()
    {
        std::map<onnx::GraphProto*, Names> resized;
        for (std::size_t i = 0; i < m_edits.resized.size(); ++i) {
            if (m_resizedGraphs[i] != nullptr)
                resized[m_resizedGraphs[i]].insert(m_model.value(m_edits.resized[i]).name);
        }
        for (const auto& [graph, names] : resized)
            removeNamed(*graph->mutable_value_info(), names);
        if (m_edits.removedNodes.empty() || m_graph.value_info().empty())
            return;
        Names gone;
        for (const NodeId node : m_edits.removedNodes) {
            for (const ValueId output : m_model.node(node).outputs) {
                if (output.valid() && m_model.value(output).region == RegionId(0))
                    gone.insert(m_model.value(output).name);
            }
        }
        for (const onnx::NodeProto& node : m_graph.node()) { // another one may give it now
            for (const std::string& output : node.output())
                gone.erase(output);
        }
        removeNamed(*m_graph.mutable_value_info(), gone);
    }

    static Status removeFrom(onnx::GraphProto& graph, const Names& removed)
    {
        if (removed.empty())
            return success();
        Names known;
        for (const auto& tensor : graph.initializer())
            known.insert(tensor.name());
        for (const std::string_view name : removed) {
            if (!known.contains(name))
                return doesNotFit("removed initializer '" + std::string(name) + "'");
        }
        removeNamed(*graph.mutable_initializer(), removed);
        removeNamed(*graph.mutable_input(), removed);
        removeNamed(*graph.mutable_value_info(), removed);
        return success();
    }

    /// The graphs whose initializers and types come and go, found before node lists change.
    Status findTensorGraphs()
    {
        for (const ValueId id : m_edits.resized)
            m_resizedGraphs.push_back(m_protos.graphOf(m_model.value(id).region));
        for (const NewTensor& tensor : m_edits.newTensors) {
            const bool isKnown = tensor.region.index < m_model.regions.size();
            m_newTensorGraphs.push_back(isKnown ? m_protos.graphOf(tensor.region) : nullptr);
            if (m_newTensorGraphs.back() == nullptr)
                return doesNotFit("new initializer '" + tensor.name + "'");
        }
        for (const auto& [region, name] : m_edits.removedInBodies) {
            onnx::GraphProto* graph = region.index < m_model.regions.size() ? m_protos.graphOf(region) : nullptr;
            if (graph == nullptr)
                return doesNotFit("removed initializer '" + name + "'");
            const bool isAlsoInput = std::ranges::any_of(
                graph->input(), [&, &wanted = name](const auto& input) { return input.name() == wanted; });
            if (!isAlsoInput) // what a body is given must not change
                m_bodyTensors.emplace_back(graph, name);
        }
        return success();
    }

    using RegionNames = std::set<std::pair<std::uint32_t, std::string_view>>; // bodies may have values of one name

    [[nodiscard]] RegionNames removedNames() const
    {
        RegionNames removed;
        for (const std::string& name : m_edits.removedTensors)
            removed.emplace(0, name);
        for (const auto& [region, name] : m_edits.removedInBodies)
            removed.emplace(region.index, name);
        for (const NodeId node : m_edits.removedNodes) {
            for (const ValueId output : m_model.node(node).outputs) {
                if (output.valid())
                    removed.emplace(
                        m_model.value(output).region.index, m_model.value(output).name); // of a Constant, say
            }
        }
        return removed;
    }

    Status addTensors()
    {
        const RegionNames removed = removedNames();
        RegionNames added;
        for (std::size_t i = 0; i < m_edits.newTensors.size(); ++i) {
            const NewTensor& tensor = m_edits.newTensors[i];
            const auto count = elementCount(tensor.dims);
            const auto size = count ? packedBytes(tensor.type, *count) : std::nullopt;
            const std::pair key(tensor.region.index, std::string_view(tensor.name));
            const bool isTaken
                = !added.insert(key).second || (m_model.findValue(tensor.name).valid() && !removed.contains(key));
            if (!size || static_cast<std::size_t>(*size) != tensor.bytes.size() || isTaken)
                return doesNotFit("new initializer '" + tensor.name + "'");
            onnx::TensorProto& proto = *m_newTensorGraphs[i]->add_initializer();
            proto.set_name(tensor.name);
            proto.set_data_type(static_cast<std::int32_t>(tensor.type));
            proto.mutable_dims()->Add(tensor.dims.begin(), tensor.dims.end());
            proto.set_raw_data(payloadToken(static_cast<std::uint32_t>(m_result.payloads.size())));
            m_result.payloads.push_back({nullptr, tensor.bytes});
            m_result.newTensors.push_back(&proto);
            if (m_result.proto->ir_version() < kInitializersNeedNoInput && tensor.region == RegionId(0))
                addInput(tensor);
        }
        return success();
    }

    void addInput(const NewTensor& tensor)
    {
        onnx::ValueInfoProto& info = *m_graph.add_input();
        info.set_name(tensor.name);
        auto& type = *info.mutable_type()->mutable_tensor_type();
        type.set_elem_type(static_cast<std::int32_t>(tensor.type));
        auto& shape = *type.mutable_shape();
        for (const std::int64_t dim : tensor.dims)
            shape.add_dim()->set_dim_value(dim);
    }

    /// Of those that say their type.
    void retypePorts()
    {
        std::map<std::string_view, ElementType> types;
        for (const auto& [value, type] : m_edits.retyped)
            types.emplace(m_model.value(value).name, type);
        for (auto* list : {m_graph.mutable_input(), m_graph.mutable_output()}) {
            for (onnx::ValueInfoProto& info : *list) {
                const auto type = types.find(info.name());
                if (type != types.end() && info.type().has_tensor_type())
                    info.mutable_type()->mutable_tensor_type()->set_elem_type(static_cast<std::int32_t>(type->second));
            }
        }
    }

    void addOutputs()
    {
        Names known;
        for (const auto& output : m_graph.output())
            known.insert(output.name());
        for (const std::string& name : m_edits.extraOutputs) {
            if (known.insert(name).second)
                m_graph.add_output()->set_name(name);
        }
    }

    void setMetadata()
    {
        auto& entries = *m_result.proto->mutable_metadata_props();
        for (const auto& [key, value] : m_edits.metadata) {
            auto found = std::ranges::find_if(entries, [&](const auto& entry) { return entry.key() == key; });
            auto& entry = found == entries.end() ? *entries.Add() : *found;
            entry.set_key(key);
            entry.set_value(value);
        }
    }

    /// Newer files give initializers no input. Those of older ones had one each, which nobody could feed: it goes.
    void raiseIrVersion()
    {
        const bool hadInputs = m_result.proto->ir_version() < kInitializersNeedNoInput;
        if (m_edits.irVersion <= m_result.proto->ir_version())
            return;
        m_result.proto->set_ir_version(m_edits.irVersion);
        if (!hadInputs || m_edits.irVersion < kInitializersNeedNoInput)
            return;
        Names initializers;
        for (const auto& tensor : m_graph.initializer())
            initializers.insert(tensor.name());
        removeNamed(*m_graph.mutable_input(), initializers);
    }

    /// A file may import one domain twice, by its two names.
    void raiseOpsets()
    {
        auto& imports = *m_result.proto->mutable_opset_import();
        for (const auto& [domain, version] : m_edits.opsets) {
            bool isKnown = false;
            for (auto& import : imports) {
                if (normalDomain(import.domain()) != domain)
                    continue;
                isKnown = true;
                import.set_version(std::max<std::int64_t>(import.version(), version));
            }
            if (isKnown)
                continue;
            auto& import = *imports.Add();
            if (!domain.empty())
                import.set_domain(domain);
            import.set_version(version);
        }
    }

    void lowerOpset()
    {
        if (m_edits.loweredOpset == 0)
            return;
        for (auto& import : *m_result.proto->mutable_opset_import()) {
            if (normalDomain(import.domain()).empty())
                import.set_version(std::min<std::int64_t>(import.version(), m_edits.loweredOpset));
        }
        removeHiddenFunctions();
        if (m_result.proto->functions_size() == 0)
            m_result.proto->set_ir_version(std::min<std::int64_t>(m_result.proto->ir_version(), m_edits.loweredIr));
    }

    /// Those that no node calls, as an operator has their name: the older opset may not have it.
    void removeHiddenFunctions()
    {
        auto& functions = *m_result.proto->mutable_functions();
        for (int i = functions.size() - 1; i >= 0; --i) {
            if (runtimeHas(normalDomain(functions[i].domain()), functions[i].name(), m_model.opset()))
                functions.DeleteSubrange(i, 1);
        }
    }

    const Model& m_model;
    const EditList& m_edits;
    EditedModel& m_result;
    onnx::GraphProto& m_graph;
    NodeProtos m_protos;
    std::vector<onnx::GraphProto*> m_newTensorGraphs; // [newTensors]
    std::vector<onnx::GraphProto*> m_resizedGraphs; // [resized]
    std::vector<std::pair<onnx::GraphProto*, std::string_view>> m_bodyTensors; // to remove
};

} // namespace

Result<EditedModel> applyEdits(const Model& model, const Source& source, const EditList& edits)
{
    EditedModel result;
    result.arena = std::make_unique<google::protobuf::Arena>();
    result.proto = google::protobuf::Arena::CreateMessage<onnx::ModelProto>(result.arena.get());
    source.structure->parse(*result.proto);
    result.payloads = source.payloads;
    DUO_CHECK(Editor(model, edits, result).apply());
    return result;
}

} // namespace duo
