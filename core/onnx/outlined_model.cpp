// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/outlined_model.h"

#include "core/onnx/call_expansion.h"
#include "core/onnx/call_record.h"
#include "core/onnx/changed_model.h"
#include "core/onnx/metadata_keys.h"
#include "core/onnx/newer_opset.h"
#include "core/onnx/node_order.h"
#include "core/onnx/payloads.h"
#include "core/onnx/proto_values.h"
#include "core/onnx/rename_values.h"
#include "core/onnx/source.h"
#include "core/onnx/walk_proto.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <unordered_set>

namespace duo {
namespace {

Error doesNotFit(const std::string& what)
{
    return {ErrorCode::Internal, "a function does not fit the model", what, "report this"};
}

void addEntry(google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& entries, const std::string& key,
    const std::string& value)
{
    auto& entry = *entries.Add();
    entry.set_key(key);
    entry.set_value(value);
}

/// Puts payloads in for their tokens, so that messages can be compared.
class Payloads
{
public:
    explicit Payloads(const Source& source)
        : m_payloads(source.payloads)
    {
    }

    [[nodiscard]] bool areSame(const onnx::NodeProto& a, const onnx::NodeProto& b) const
    {
        if (a.SerializeAsString() == b.SerializeAsString())
            return true;
        onnx::NodeProto one = a;
        onnx::NodeProto other = b;
        const auto fillIn = [&](onnx::TensorProto& tensor) { fill(tensor); };
        forEachTensor(one, fillIn);
        forEachTensor(other, fillIn);
        return one.SerializeAsString() == other.SerializeAsString();
    }

private:
    void fill(onnx::TensorProto& tensor) const
    {
        std::optional<std::uint32_t> index;
        if (tensor.has_raw_data())
            index = payloadIndex(tensor.raw_data());
        else if (tensor.float_data_size() == 1)
            index = payloadIndex(tensor.float_data(0));
        else if (tensor.double_data_size() == 1)
            index = payloadIndex(tensor.double_data(0));
        if (!index || *index >= m_payloads.size())
            return;
        const auto bytes = m_payloads[*index].bytes;
        tensor.set_raw_data(bytes.data(), bytes.size());
        tensor.clear_float_data();
        tensor.clear_double_data();
    }

    const std::vector<SharedBytes>& m_payloads;
};

class Outliner
{
public:
    Outliner(onnx::ModelProto& proto, const Model& model, const OutlineEdits& edits)
        : m_proto(proto)
        , m_model(model)
        , m_edits(edits)
        , m_callsOf(edits.functions.size())
        , m_isMade(edits.functions.size())
        , m_callsIn(model.regions.size())
        , m_ownsBodies(model.nodes.size())
    {
    }

    Status run()
    {
        DUO_CHECK(checkFit());
        for (std::size_t c = 0; c < m_edits.calls.size(); ++c) {
            const OutlinedCall& call = m_edits.calls[c];
            m_callsOf[call.function].push_back(c);
            if (call.isNested)
                continue;
            m_callsIn[call.region.index].push_back(c);
            if (call.region != RegionId(0) && !m_before)
                m_before = std::make_unique<onnx::ModelProto>(m_proto);
        }
        for (std::size_t f = 0; f < m_callsOf.size(); ++f) {
            if (m_callsOf[f].empty())
                return doesNotFit("function '" + m_edits.functions[f].name + "'");
        }
        for (std::size_t r = 1; r < m_model.regions.size(); ++r) {
            if (!m_model.regions[r].attribute.empty())
                m_ownsBodies[m_model.regions[r].owner.index] = true;
        }
        importDomains();
        for (std::size_t r = m_model.regions.size(); r-- > 0;) { // inner regions have higher numbers
            if (!m_callsIn[r].empty())
                DUO_CHECK(replaceNodes(RegionId(r)));
        }
        raiseIr();
        return success();
    }

private:
    Status checkFit() const
    {
        std::unordered_set<std::uint32_t> taken;
        for (const OutlinedCall& call : m_edits.calls) {
            if (call.function >= m_edits.functions.size())
                return doesNotFit("call '" + call.name + "'");
            const OutlinedFunction& function = m_edits.functions[call.function];
            if (function.partNames.size() != call.parts.size() || function.inputs.size() != call.inputs.size()
                || function.outputs.size() != call.outputs.size())
                return doesNotFit("call '" + call.name + "'");
            for (const PassedInput& passed : function.passed) {
                if (passed.input >= call.inputs.size() || passed.output >= call.outputs.size())
                    return doesNotFit("call '" + call.name + "'");
            }
            for (const BodyPart& part : call.parts) {
                const auto* node = std::get_if<NodeId>(&part);
                if (node != nullptr && (m_model.node(*node).region != call.region || !taken.insert(node->index).second))
                    return doesNotFit("node '" + m_model.node(*node).name + "'");
            }
        }
        return success();
    }

    /// As it was before; one with bodies as these are by now: it goes with them, and to one place only.
    [[nodiscard]] const onnx::NodeProto& protoOf(NodeId id) const
    {
        const Node& node = m_model.node(id);
        onnx::ModelProto& proto = m_before && !m_ownsBodies[id.index] ? *m_before : m_proto;
        return graphIn(proto, node.region).node(static_cast<int>(node.origin.index));
    }

    /// @param region of the main graph or of a body, not inside a call; no list around it has been changed yet
    [[nodiscard]] onnx::GraphProto& graphIn(onnx::ModelProto& proto, RegionId region) const
    {
        if (region == RegionId(0))
            return *proto.mutable_graph();
        const Region& body = m_model.region(region);
        const Node& owner = m_model.node(body.owner);
        onnx::NodeProto& node = *graphIn(proto, owner.region).mutable_node(static_cast<int>(owner.origin.index));
        const auto isIt = [&](const auto& attribute) { return attribute.name() == body.attribute; };
        return *std::ranges::find_if(*node.mutable_attribute(), isIt)->mutable_g(); // the region was read from it
    }

    [[nodiscard]] const std::string& nameOf(ValueId value) const { return m_model.value(value).name; }

    /// What a call gives for an attribute its function leaves open; null if its node has none.
    [[nodiscard]] const onnx::AttributeProto* given(const OutlinedCall& call, const OpenAttribute& open) const
    {
        const BodyPart& part = call.parts[open.part];
        if (const auto* inner = std::get_if<std::size_t>(&part)) {
            const OutlinedCall& innerCall = m_edits.calls[*inner];
            for (const OpenAttribute& one : m_edits.functions[innerCall.function].open) {
                if (one.formal == open.name)
                    return given(innerCall, one);
            }
            return nullptr;
        }
        for (const auto& attribute : protoOf(std::get<NodeId>(part)).attribute()) {
            if (attribute.name() == open.name)
                return &attribute;
        }
        return nullptr;
    }

    /// A call of the function with the values and attributes of `call`; `refers` gives the formal of the function
    /// around it that an open attribute stands for, "" for none.
    template <typename Refers> Status fillCall(const OutlinedCall& call, onnx::NodeProto& node, const Refers& refers)
    {
        const OutlinedFunction& function = m_edits.functions[call.function];
        node.set_domain(function.domain);
        node.set_op_type(function.name);
        for (const ValueId input : call.inputs)
            node.add_input(nameOf(input));
        for (const ValueId output : call.outputs)
            node.add_output(output.valid() ? nameOf(output) : std::string());
        for (const OpenAttribute& open : function.open) {
            const onnx::AttributeProto* value = given(call, open);
            if (value == nullptr)
                return doesNotFit("attribute '" + open.name + "' of call '" + call.name + "'");
            onnx::AttributeProto& attribute = *node.add_attribute();
            if (const std::string formal = refers(open); !formal.empty()) {
                attribute.set_type(value->type());
                attribute.set_ref_attr_name(formal);
            } else {
                attribute = *value;
            }
            attribute.set_name(open.formal);
        }
        return success();
    }

    /// Inner ones first. Those of calls in bodies inside it are there already.
    Status addFunctionsOf(const std::vector<std::size_t>& calls)
    {
        std::vector<bool> isWanted(m_edits.functions.size());
        for (const std::size_t call : calls)
            want(m_edits.calls[call], isWanted);
        for (std::size_t f = 0; f < isWanted.size(); ++f) {
            if (!isWanted[f] || m_isMade[f])
                continue;
            DUO_CHECK(addFunction(f));
            m_isMade[f] = true;
        }
        return success();
    }

    void want(const OutlinedCall& call, std::vector<bool>& isWanted) const
    {
        isWanted[call.function] = true;
        for (const BodyPart& part : call.parts) {
            if (const auto* inner = std::get_if<std::size_t>(&part))
                want(m_edits.calls[*inner], isWanted);
        }
    }

    Status addFunction(std::size_t f)
    {
        const OutlinedFunction& function = m_edits.functions[f];
        onnx::FunctionProto& proto = *m_proto.add_functions();
        m_outlined.insert(&proto);
        proto.set_domain(function.domain);
        proto.set_name(function.name);
        for (const std::string& input : function.inputs)
            proto.add_input(input);
        for (const std::string& output : function.outputs)
            proto.add_output(output);
        for (const OpenAttribute& open : function.open)
            proto.add_attribute(open.formal);
        DUO_CHECK(fillBody(f, proto));
        addImports(proto);
        addEntry(*proto.mutable_metadata_props(), std::string(kOutlinedKey), "1");
        for (const auto& [key, value] : function.metadata)
            addEntry(*proto.mutable_metadata_props(), key, value);
        return success();
    }

    [[nodiscard]] ValueNames namesIn(const OutlinedFunction& function, const OutlinedCall& pattern) const
    {
        ValueNames names;
        for (const auto& [value, name] : function.valueNames)
            names.emplace(m_model.values[value].name, name);
        for (std::size_t i = 0; i < pattern.inputs.size(); ++i)
            names.insert_or_assign(nameOf(pattern.inputs[i]), function.inputs[i]);
        for (std::size_t o = 0; o < pattern.outputs.size(); ++o) {
            if (pattern.outputs[o].valid())
                names.insert_or_assign(nameOf(pattern.outputs[o]), function.outputs[o]);
        }
        return names;
    }

    Status fillBody(std::size_t f, onnx::FunctionProto& proto)
    {
        const OutlinedFunction& function = m_edits.functions[f];
        const OutlinedCall& pattern = m_edits.calls[m_callsOf[f].front()];
        const ValueNames names = namesIn(function, pattern);
        std::map<std::pair<std::size_t, std::string>, std::string> formals;
        for (const OpenAttribute& open : function.open)
            formals.emplace(std::pair(open.part, open.name), open.formal);
        const auto formalOf = [&](std::size_t part, const std::string& name) {
            const auto found = formals.find({part, name});
            return found == formals.end() ? std::string() : found->second;
        };
        for (std::size_t p = 0; p < pattern.parts.size(); ++p) {
            onnx::NodeProto& node = *proto.add_node();
            if (const auto* inner = std::get_if<std::size_t>(&pattern.parts[p])) {
                const auto refers = [&](const OpenAttribute& open) { return formalOf(p, open.formal); };
                DUO_CHECK(fillCall(m_edits.calls[*inner], node, refers));
            } else {
                node = protoOf(std::get<NodeId>(pattern.parts[p]));
                for (auto& attribute : *node.mutable_attribute()) {
                    if (const std::string formal = formalOf(p, attribute.name()); !formal.empty())
                        refer(attribute, formal);
                }
                keepWhatIsCommon(f, p, node);
            }
            renameValues(node, names);
            node.set_name(function.partNames[p]);
        }
        for (const PassedInput& passed : function.passed) {
            onnx::NodeProto& node = *proto.add_node();
            node.set_op_type("Identity");
            node.set_name(passed.nodeName);
            node.add_input(function.inputs[passed.input]);
            node.add_output(function.outputs[passed.output]);
            addEntry(*node.mutable_metadata_props(), std::string(kPassedKey), "1");
        }
        return success();
    }

    static void refer(onnx::AttributeProto& attribute, const std::string& formal)
    {
        onnx::AttributeProto reference;
        reference.set_name(attribute.name());
        reference.set_type(attribute.type());
        reference.set_ref_attr_name(formal);
        attribute = std::move(reference);
    }

    /// Metadata and documentation that the nodes of all calls have.
    void keepWhatIsCommon(std::size_t f, std::size_t part, onnx::NodeProto& node) const
    {
        auto& entries = *node.mutable_metadata_props();
        for (const std::size_t c : m_callsOf[f]) {
            const onnx::NodeProto& other = protoOf(std::get<NodeId>(m_edits.calls[c].parts[part]));
            if (other.doc_string() != node.doc_string())
                node.clear_doc_string();
            int kept = 0;
            for (int e = 0; e < entries.size(); ++e) {
                const std::string* same = metadataText(other, entries[e].key());
                if (same != nullptr && *same == entries[e].value())
                    entries.SwapElements(kept++, e);
            }
            entries.DeleteSubrange(kept, entries.size() - kept);
        }
    }

    void addImports(onnx::FunctionProto& function) const
    {
        std::set<std::string> domains;
        forEachNode(function.node(), [&](const onnx::NodeProto& node) { domains.insert(normalDomain(node.domain())); });
        for (const std::string& domain : domains) {
            const auto known = m_model.opsets.find(domain);
            auto& import = *function.add_opset_import();
            import.set_domain(domain);
            import.set_version(known == m_model.opsets.end() ? 1 : known->second);
        }
    }

    void importDomains()
    {
        std::set<std::string> domains;
        for (const OutlinedFunction& function : m_edits.functions)
            domains.insert(function.domain);
        for (const std::string& domain : domains) {
            if (m_model.opsets.contains(domain))
                continue;
            auto& import = *m_proto.add_opset_import();
            import.set_domain(domain);
            import.set_version(1);
        }
    }

    /// Its nodes, in the order in which its expansion gives them.
    void flatten(const OutlinedCall& call, std::vector<NodeId>& nodes) const
    {
        for (const BodyPart& part : call.parts) {
            if (const auto* inner = std::get_if<std::size_t>(&part))
                flatten(m_edits.calls[*inner], nodes);
            else
                nodes.push_back(std::get<NodeId>(part));
        }
    }

    Status replaceNodes(RegionId region)
    {
        DUO_CHECK(addFunctionsOf(m_callsIn[region.index]));
        DUO_TRY(functions, FunctionTable::of(m_proto));
        const Expansion how{[&](const onnx::FunctionProto& function) { return m_outlined.contains(&function); }, true};

        const auto count = static_cast<std::size_t>(graphIn(m_proto, region).node_size());
        std::vector<bool> isTaken(count);
        std::vector<onnx::NodeProto> calls;
        std::vector<std::size_t> ranks;
        for (const std::size_t c : m_callsIn[region.index]) {
            const OutlinedCall& call = m_edits.calls[c];
            onnx::NodeProto& node = calls.emplace_back();
            DUO_CHECK(fillCall(call, node, [](const OpenAttribute&) { return std::string(); }));
            node.set_name(call.name);
            std::vector<NodeId> nodes;
            flatten(call, nodes);
            DUO_CHECK(addRecord(node, nodes, functions, how));
            for (const auto& [key, value] : call.metadata)
                addEntry(*node.mutable_metadata_props(), key, value);
            std::size_t last = 0;
            for (const NodeId id : nodes) {
                isTaken[m_model.node(id).origin.index] = true;
                last = std::max<std::size_t>(last, m_model.node(id).origin.index);
            }
            ranks.push_back(last);
        }
        return rebuildList(*graphIn(m_proto, region).mutable_node(), isTaken, std::move(calls), std::move(ranks));
    }

    /// Says on the call what its nodes were, and tries whether they come back so.
    Status addRecord(onnx::NodeProto& call, const std::vector<NodeId>& nodes, const FunctionTable& functions,
        const Expansion& how) const
    {
        ExpandedCall expanded = expandCall(call, functions, how);
        dropPassed(expanded);
        if (expanded.nodes.size() != nodes.size())
            return doesNotFit("call '" + call.name() + "'");
        std::vector<const onnx::NodeProto*> originals;
        std::vector<std::uint32_t> positions;
        for (const NodeId node : nodes) {
            originals.push_back(&protoOf(node));
            positions.push_back(m_model.node(node).origin.index);
        }
        const std::string text = recordOf(expanded, originals, std::move(positions)).text();
        const auto record = CallRecord::of(text, nodes.size());
        if (record) {
            nameValues(expanded, [&](std::size_t node, int port, const std::string& wish) {
                return nameBefore(*record, node, port, wish);
            });
            restore(expanded.nodes, *record);
        }
        const Payloads payloads(*m_model.source);
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            if (!record || !payloads.areSame(expanded.nodes[n], *originals[n]))
                return Error{ErrorCode::Unsupported, "a node in a function would not come back as it is",
                    "node '" + m_model.node(nodes[n]).name + "'", "leave its module out"};
        }
        addEntry(*call.mutable_metadata_props(), std::string(kCallRecordKey), text);
        return success();
    }

    static Status rebuildList(NodeList& list, const std::vector<bool>& isTaken, std::vector<onnx::NodeProto> calls,
        std::vector<std::size_t> ranks)
    {
        std::vector<onnx::NodeProto> nodes = std::move(calls);
        const std::size_t callCount = nodes.size();
        for (int i = 0; i < list.size(); ++i) {
            if (isTaken[static_cast<std::size_t>(i)])
                continue;
            nodes.push_back(std::move(list[i]));
            ranks.push_back(static_cast<std::size_t>(i));
        }
        std::vector<const onnx::NodeProto*> pointers;
        for (const onnx::NodeProto& node : nodes)
            pointers.push_back(&node);
        const auto order = topologicalBy(pointers, ranks);
        if (!order)
            return doesNotFit("calls that need each other's results");
        list.Clear();
        std::size_t last = 0;
        for (const std::size_t n : *order) {
            onnx::NodeProto& node = *list.Add();
            node = std::move(nodes[n]);
            if (n < callCount)
                continue;
            if (ranks[n] < last)
                addEntry(*node.mutable_metadata_props(), std::string(kPositionKey), std::to_string(ranks[n]));
            last = std::max(last, ranks[n]);
        }
        return success();
    }

    void raiseIr()
    {
        if (m_proto.ir_version() >= kFunctionsIr)
            return;
        auto& entries = *m_proto.mutable_metadata_props();
        if (std::ranges::none_of(entries, [](const auto& entry) { return entry.key() == kIrBeforeKey; }))
            addEntry(entries, std::string(kIrBeforeKey), std::to_string(m_proto.ir_version()));
        m_proto.set_ir_version(kFunctionsIr);
    }

    onnx::ModelProto& m_proto;
    const Model& m_model;
    const OutlineEdits& m_edits;
    std::unique_ptr<onnx::ModelProto> m_before; // null where no body changes
    std::vector<std::vector<std::size_t>> m_callsOf; // [functions]
    std::vector<bool> m_isMade; // [functions]
    std::vector<std::vector<std::size_t>> m_callsIn; // [regions] that stand there
    std::vector<bool> m_ownsBodies; // [nodes]
    std::unordered_set<const onnx::FunctionProto*> m_outlined;
};

} // namespace

Result<std::shared_ptr<const Model>> outlinedModel(
    const std::shared_ptr<const Model>& original, const OutlineEdits& edits, const JobContext& job)
{
    return changedModel(
        original, [&](onnx::ModelProto& proto) { return Outliner(proto, *original, edits).run(); }, job);
}

} // namespace duo
