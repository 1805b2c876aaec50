// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/call_expansion.h"
#include "core/onnx/call_record.h"
#include "core/onnx/changed_model.h"
#include "core/onnx/metadata_keys.h"
#include "core/onnx/newer_opset.h"
#include "core/onnx/node_order.h"
#include "core/onnx/outlined_model.h"
#include "core/onnx/proto_values.h"
#include "core/onnx/source.h"
#include "core/onnx/walk_proto.h"
#include "core/support/fresh_names.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

bool isOutlined(const onnx::FunctionProto& function)
{
    return std::ranges::any_of(
        function.metadata_props(), [](const auto& entry) { return entry.key() == kOutlinedKey; });
}

/// A node on its way into the new list.
struct Placed {
    onnx::NodeProto node;
    std::optional<std::size_t> position; // where it stood before something was outlined
};

std::optional<std::size_t> positionOf(const onnx::NodeProto& node)
{
    const std::string* text = metadataText(node, kPositionKey);
    std::size_t position = 0;
    if (text == nullptr)
        return std::nullopt;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), position);
    return error == std::errc() && end == text->data() + text->size() ? std::optional(position) : std::nullopt;
}

/// Those that know their position stand there, the others in between, in their order.
std::vector<onnx::NodeProto> inPlace(std::vector<Placed> nodes)
{
    std::vector<Placed> known, others;
    for (Placed& node : nodes)
        (node.position ? known : others).push_back(std::move(node));
    std::ranges::stable_sort(known, {}, [](const Placed& node) { return *node.position; });
    std::vector<onnx::NodeProto> list;
    list.reserve(nodes.size());
    auto next = known.begin();
    for (Placed& other : others) {
        for (; next != known.end() && *next->position <= list.size(); ++next)
            list.push_back(std::move(next->node));
        list.push_back(std::move(other.node));
    }
    for (; next != known.end(); ++next)
        list.push_back(std::move(next->node));
    return list;
}

void removeEntry(google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& entries, std::string_view key)
{
    for (int e = entries.size() - 1; e >= 0; --e) {
        if (entries[e].key() == key)
            entries.DeleteSubrange(e, 1);
    }
}

void markNode(onnx::NodeProto& node, const std::string& name)
{
    removeEntry(*node.mutable_metadata_props(), kNameBeforeKey); // of an earlier time
    if (name.empty())
        return;
    auto& entry = *node.add_metadata_props();
    entry.set_key(std::string(kNameBeforeKey));
    entry.set_value(name);
}

/// The marks of nodes, which have none any more.
std::vector<std::string> takeMarks(std::vector<onnx::NodeProto>& nodes)
{
    std::vector<std::string> marks;
    for (onnx::NodeProto& node : nodes) {
        const std::string* mark = metadataText(node, kNameBeforeKey);
        marks.push_back(mark == nullptr ? std::string() : *mark);
        if (mark != nullptr)
            removeEntry(*node.mutable_metadata_props(), kNameBeforeKey);
    }
    return marks;
}

/// Marks nodes with the names that they have in the model with calls.
class ShownNames
{
public:
    explicit ShownNames(const Model& model)
        : m_model(model)
        , m_regionsOf(model.nodes.size())
    {
        for (std::size_t r = 1; r < model.regions.size(); ++r)
            m_regionsOf[model.regions[r].owner.index].emplace_back(r);
    }

    /// Those of a list of the file, bodies and all: of them alone an expansion starts.
    void markCallsInPlace(NodeList& list) { markCallsIn(list, RegionId(0)); }

    /// What a marked call became. @param isExpanded whether an inner call became nodes, too
    template <typename Is> void markInPlace(ExpandedCall& expanded, const onnx::NodeProto& call, const Is& isExpanded)
    {
        const std::string* mark = metadataText(call, kNameBeforeKey);
        const NodeId owner = mark == nullptr ? NodeId() : m_model.findNode(*mark);
        if (!owner.valid())
            return;
        std::vector<NodeId> shown;
        flatten(owner, isExpanded, shown);
        if (shown.size() + expanded.added.size() != expanded.nodes.size())
            return;
        auto added = expanded.added.begin();
        auto next = shown.begin();
        for (std::size_t n = 0; n < expanded.nodes.size(); ++n) {
            if (added != expanded.added.end() && *added == n)
                ++added;
            else
                markWithBodies(expanded.nodes[n], *next++);
        }
    }

private:
    void markCallsIn(NodeList& list, RegionId region)
    {
        const std::vector<NodeId>& shown = m_model.region(region).nodes;
        for (int n = 0; n < list.size() && static_cast<std::size_t>(n) < shown.size(); ++n) {
            const NodeId id = shown[static_cast<std::size_t>(n)];
            if (m_model.node(id).isCall)
                markNode(list[n], m_model.node(id).name);
            else
                eachBody(list[n], id, [&](NodeList& body, RegionId inner) { markCallsIn(body, inner); });
        }
    }

    void markWithBodies(onnx::NodeProto& node, NodeId shown)
    {
        markNode(node, m_model.node(shown).name);
        eachBody(node, shown, [&](NodeList& body, RegionId region) {
            const std::vector<NodeId>& nodes = m_model.region(region).nodes;
            auto next = nodes.begin();
            for (onnx::NodeProto& inner : body) {
                if (!isAddedByOpset(inner) && next != nodes.end())
                    markWithBodies(inner, *next++);
            }
        });
    }

    template <typename Visit> void eachBody(onnx::NodeProto& node, NodeId shown, const Visit& visit) const
    {
        if (m_model.node(shown).isCall)
            return;
        const auto& regions = m_regionsOf[shown.index];
        std::size_t next = 0;
        forEachBody(node, [&](onnx::GraphProto& body) {
            if (next < regions.size())
                visit(*body.mutable_node(), regions[next++]);
        });
    }

    template <typename Is> void flatten(NodeId call, const Is& isExpanded, std::vector<NodeId>& nodes) const
    {
        for (const RegionId region : m_regionsOf[call.index]) {
            for (const NodeId id : m_model.region(region).nodes) {
                if (isExpanded(m_model.node(id)))
                    flatten(id, isExpanded, nodes);
                else
                    nodes.push_back(id);
            }
        }
    }

    const Model& m_model;
    std::vector<std::vector<RegionId>> m_regionsOf; // [nodes] that they own
};

class Inliner
{
public:
    /// @param shown the model of `proto`, whose names are kept; null: names are forgotten
    Inliner(onnx::ModelProto& proto, const std::set<FunctionName>& names, const Model* shown)
        : m_proto(proto)
        , m_names(names)
    {
        if (shown != nullptr)
            m_shown.emplace(*shown);
    }

    Status run()
    {
        DUO_TRY(functions, FunctionTable::of(m_proto));
        m_functions = &functions;
        for (const auto& function : m_proto.functions()) {
            if (isOutlined(function))
                m_outlined.emplace(normalDomain(function.domain()), function.name());
        }
        if (m_shown)
            m_shown->markCallsInPlace(*m_proto.mutable_graph()->mutable_node());
        DUO_CHECK(joinOpsets());
        DUO_CHECK(inlineIn(*m_proto.mutable_graph()->mutable_node(), namesGiven(m_proto.graph())));
        for (auto& function : *m_proto.mutable_functions()) {
            if (!isWanted(function))
                DUO_CHECK(inlineInFunction(function));
        }
        removeFunctions();
        if (!raised.empty())
            forgetAddedNodes();
        return success();
    }

    std::int64_t calls = 0;
    std::int64_t restored = 0;
    std::set<std::pair<std::int64_t, std::int64_t>> raised; // opsets of ai.onnx, and which they became

private:
    [[nodiscard]] bool isWanted(const onnx::FunctionProto& function) const
    {
        return m_names.contains({normalDomain(function.domain()), function.name()});
    }

    static FunctionName nameOf(const Node& call) { return {call.domain, call.opType}; }
    [[nodiscard]] bool isWantedName(const Node& call) const { return call.isCall && m_names.contains(nameOf(call)); }

    void forgetAddedNodes()
    {
        forgetAdded(*m_proto.mutable_graph()->mutable_node());
        for (auto& function : *m_proto.mutable_functions())
            forgetAdded(*function.mutable_node());
    }

    /// Whether nodes of it, or of what it calls, come together with those of others.
    [[nodiscard]] bool isMixed(const onnx::FunctionProto& function) const
    {
        bool is = isWanted(function);
        forEachNode(function.node(), [&](const onnx::NodeProto& node) { is = is || wantedCall(node) != nullptr; });
        return is;
    }

    /// What comes together is written in one opset of every domain: in the newest of ai.onnx that any of it is in.
    Status joinOpsets()
    {
        std::map<std::string, std::int64_t> wanted; // by domain
        for (const auto& import : m_proto.opset_import())
            wanted[normalDomain(import.domain())] = import.version();
        for (const auto& function : m_proto.functions()) {
            if (!isMixed(function))
                continue;
            for (const auto& import : function.opset_import()) {
                const auto [own, isNew] = wanted.emplace(normalDomain(import.domain()), import.version());
                if (own->second == import.version())
                    continue;
                if (!own->first.empty())
                    return Error{ErrorCode::Unsupported,
                        "a function is written for opset " + std::to_string(import.version()) + " of " + own->first
                            + ", the model for " + std::to_string(own->second),
                        "function '" + function.name() + "'", "convert the model to one opset first"};
                own->second = std::max(own->second, import.version());
            }
        }
        const auto opset = wanted.find("");
        if (opset == wanted.end())
            return success();
        const std::int64_t own = importedOpset(m_proto, opset->second);
        for (auto& function : *m_proto.mutable_functions()) {
            if (isMixed(function))
                DUO_CHECK(takeOpset(function, *function.mutable_node(), importedOpset(function, own), opset->second,
                    "function '" + function.name() + "'"));
        }
        return takeOpset(m_proto, *m_proto.mutable_graph()->mutable_node(), own, opset->second, "the model");
    }

    template <typename Message>
    Status takeOpset(Message& message, NodeList& nodes, std::int64_t from, std::int64_t opset, const std::string& whose)
    {
        if (from == opset)
            return success();
        if (const auto refused = writeNewer(nodes, from, opset))
            return Error{ErrorCode::Unsupported,
                whose + " is written for opset " + std::to_string(from)
                    + " of ai.onnx, what it comes together with for " + std::to_string(opset) + "; " + refused->node
                    + ": " + refused->why,
                {}, "convert the model to one opset first"};
        for (auto& import : *message.mutable_opset_import()) {
            if (normalDomain(import.domain()).empty())
                import.set_version(opset);
        }
        raised.emplace(from, opset);
        return success();
    }

    using Names = std::unordered_set<std::string>;

    /// What a graph has before its nodes run.
    static Names namesGiven(const onnx::GraphProto& graph)
    {
        Names names;
        for (const auto& input : graph.input())
            names.insert(input.name());
        for (const auto& tensor : graph.initializer())
            names.insert(tensor.name());
        for (const auto& tensor : graph.sparse_initializer())
            names.insert(tensor.values().name());
        return names;
    }

    /// Of a list and all bodies in it.
    void takeNames(const NodeList& nodes)
    {
        for (const onnx::NodeProto& node : nodes) {
            for (const auto& output : node.output())
                m_taken.take(output);
            forEachBody(node, [&](const onnx::GraphProto& body) {
                for (const std::string& name : namesGiven(body))
                    m_taken.take(name);
                takeNames(body.node());
            });
        }
    }

    /// A name that no value has which is defined here, around here, or in a body: those in bodies beside this one may
    /// have it.
    std::string freshName(const std::string& wish)
    {
        const auto isAround = [&](const std::string& name) {
            return std::ranges::any_of(m_around, [&](const Names* names) { return names->contains(name); });
        };
        std::string name = m_taken.fresh(wish);
        while (isAround(name))
            name = m_taken.fresh(wish);
        return name;
    }

    [[nodiscard]] const onnx::FunctionProto* wantedCall(const onnx::NodeProto& node) const
    {
        const onnx::FunctionProto* function = m_functions->calledBy(node);
        return function != nullptr && isWanted(*function) ? function : nullptr;
    }

    /// @param given what the list's graph or function has before its nodes run
    Status inlineIn(NodeList& list, Names given)
    {
        std::vector<Placed> nodes;
        const bool isChanged
            = std::ranges::any_of(list, [&](const onnx::NodeProto& node) { return wantedCall(node) != nullptr; });
        if (isChanged) {
            m_taken = {};
            for (const std::string& name : given)
                m_taken.take(name);
            takeNames(list);
        }
        for (onnx::NodeProto& node : list) {
            if (!isChanged)
                break;
            if (wantedCall(node) != nullptr) {
                expand(node, nodes);
                continue;
            }
            const auto position = positionOf(node);
            nodes.push_back({std::move(node), position});
        }
        if (isChanged) {
            std::vector<onnx::NodeProto> ordered = inPlace(std::move(nodes));
            DUO_CHECK(sort(ordered));
            list.Clear();
            for (onnx::NodeProto& node : ordered)
                *list.Add() = std::move(node);
        }
        return inlineInBodies(list, std::move(given));
    }

    /// @param given by the graph or function that the list is of
    Status inlineInBodies(NodeList& list, Names given)
    {
        bool isAnyCalled = false;
        for (const onnx::NodeProto& node : list)
            forEachBody(node, [&](const onnx::GraphProto& body) {
                forEachNode(
                    body.node(), [&](const onnx::NodeProto& inner) { isAnyCalled |= wantedCall(inner) != nullptr; });
            });
        if (!isAnyCalled)
            return success();
        for (const onnx::NodeProto& node : list)
            given.insert(node.output().begin(), node.output().end());
        m_around.push_back(&given);
        Status status = success();
        for (onnx::NodeProto& node : list)
            forEachBody(node, [&](onnx::GraphProto& body) {
                if (status)
                    status = inlineIn(*body.mutable_node(), namesGiven(body));
            });
        m_around.pop_back();
        return status;
    }

    /// In a function that stays.
    Status inlineInFunction(onnx::FunctionProto& function)
    {
        return inlineIn(*function.mutable_node(), Names(function.input().begin(), function.input().end()));
    }

    void expand(const onnx::NodeProto& call, std::vector<Placed>& nodes)
    {
        ++calls;
        if (!expandRecorded(call, nodes))
            expandAnew(call, std::nullopt, nodes);
    }

    void expandAnew(const onnx::NodeProto& call, std::optional<std::size_t> position, std::vector<Placed>& nodes)
    {
        const Expansion how{[&](const onnx::FunctionProto& function) { return isWanted(function); }, false};
        ExpandedCall expanded = expandCall(call, *m_functions, how);
        if (m_shown)
            m_shown->markInPlace(expanded, call, [&](const Node& inner) { return isWantedName(inner); });
        nameValues(expanded, [&](std::size_t, int, const std::string& wish) { return freshName(wish); });
        for (onnx::NodeProto& node : expanded.nodes)
            nodes.push_back({std::move(node), position});
    }

    /// False where the call has no record, or one of other nodes.
    bool expandRecorded(const onnx::NodeProto& call, std::vector<Placed>& nodes)
    {
        const std::string* text = metadataText(call, kCallRecordKey);
        if (text == nullptr)
            return false;
        const Expansion how{
            [&](const onnx::FunctionProto& function) { return isOutlined(function) && isWanted(function); }, true};
        ExpandedCall expanded = expandCall(call, *m_functions, how);
        if (m_shown)
            m_shown->markInPlace(expanded, call,
                [&](const Node& inner) { return isWantedName(inner) && m_outlined.contains(nameOf(inner)); });
        const std::size_t count = dropPassed(expanded);
        const auto record = CallRecord::of(*text, count);
        if (!record)
            return false;
        const std::vector<std::string> marks = m_shown ? takeMarks(expanded.nodes) : std::vector<std::string>();
        nameValues(expanded, [&](std::size_t node, int port, const std::string& wish) {
            return freshName(nameBefore(*record, node, port, wish));
        });
        restore(expanded.nodes, *record);
        for (std::size_t n = 0; n < marks.size(); ++n)
            markNode(expanded.nodes[n], marks[n]);
        for (std::size_t n = count; n < expanded.nodes.size(); ++n) {
            removeEntry(*expanded.nodes[n].mutable_metadata_props(), kPassedKey);
            nodes.push_back({std::move(expanded.nodes[n]), std::nullopt});
        }
        for (std::size_t n = 0; n < count; ++n) {
            if (wantedCall(expanded.nodes[n]) != nullptr) // of a function that was there before
                expandAnew(expanded.nodes[n], record->positions[n], nodes);
            else
                nodes.push_back({std::move(expanded.nodes[n]), record->positions[n]});
        }
        ++restored;
        return true;
    }

    /// Passes may have changed the graph since positions were noted.
    static Status sort(std::vector<onnx::NodeProto>& nodes)
    {
        std::vector<const onnx::NodeProto*> pointers;
        for (const onnx::NodeProto& node : nodes)
            pointers.push_back(&node);
        std::vector<std::size_t> ranks(nodes.size());
        std::iota(ranks.begin(), ranks.end(), std::size_t{0});
        const auto order = topologicalBy(pointers, ranks);
        if (!order)
            return Error{ErrorCode::MalformedModel, "the nodes of a function need each other's results", {},
                "export the model again"};
        std::vector<onnx::NodeProto> sorted;
        sorted.reserve(nodes.size());
        for (const std::size_t n : *order)
            sorted.push_back(std::move(nodes[n]));
        nodes = std::move(sorted);
        return success();
    }

    void removeFunctions()
    {
        std::unordered_set<const onnx::FunctionProto*> called;
        const auto visit = [&](const onnx::NodeProto& node) {
            if (const auto* function = m_functions->calledBy(node))
                called.insert(function);
        };
        forEachNode(m_proto.graph().node(), visit);
        for (const auto& function : m_proto.functions()) {
            if (!isWanted(function))
                forEachNode(function.node(), visit);
        }
        std::set<std::string> outlinedDomains;
        std::vector<onnx::FunctionProto> kept;
        std::vector<onnx::FunctionProto> gone;
        for (auto& function : *m_proto.mutable_functions()) {
            const bool isGone = isWanted(function) && !called.contains(&function);
            if (isGone && isOutlined(function))
                outlinedDomains.insert(function.domain());
            (isGone ? gone : kept).push_back(function);
        }
        m_proto.clear_functions();
        for (onnx::FunctionProto& function : kept)
            *m_proto.add_functions() = std::move(function);
        mergeImports(gone);
        removeMarks(outlinedDomains);
    }

    void mergeImports(const std::vector<onnx::FunctionProto>& functions)
    {
        for (const onnx::FunctionProto& function : functions) {
            if (isOutlined(function))
                continue; // what it imports is the model's own, or of other functions
            for (const auto& import : function.opset_import()) {
                const auto isIt
                    = [&](const auto& own) { return normalDomain(own.domain()) == normalDomain(import.domain()); };
                if (std::ranges::none_of(m_proto.opset_import(), isIt))
                    *m_proto.add_opset_import() = import;
            }
        }
    }

    /// What outlining added to the model itself, once no function of its making is left.
    void removeMarks(const std::set<std::string>& domains)
    {
        std::set<std::string> used;
        const auto visit = [&](const onnx::NodeProto& node) { used.insert(node.domain()); };
        forEachNode(m_proto.graph().node(), visit);
        for (const auto& function : m_proto.functions()) {
            used.insert(function.domain());
            forEachNode(function.node(), visit);
        }
        auto& imports = *m_proto.mutable_opset_import();
        for (int i = imports.size() - 1; i >= 0; --i) {
            if (domains.contains(imports[i].domain()) && !used.contains(imports[i].domain()))
                imports.DeleteSubrange(i, 1);
        }
        if (std::ranges::any_of(m_proto.functions(), isOutlined))
            return;
        forgetPositions(*m_proto.mutable_graph()->mutable_node());
        auto& entries = *m_proto.mutable_metadata_props();
        for (const auto& entry : entries) {
            std::int64_t version = 0;
            if (entry.key() == kIrBeforeKey)
                std::from_chars(entry.value().data(), entry.value().data() + entry.value().size(), version);
            if (version > 0 && version < m_proto.ir_version() && m_proto.functions_size() == 0)
                m_proto.set_ir_version(version);
        }
        removeEntry(entries, kIrBeforeKey);
        restoreScopes(entries);
    }

    static void forgetPositions(NodeList& nodes)
    {
        for (onnx::NodeProto& node : nodes) {
            removeEntry(*node.mutable_metadata_props(), kPositionKey);
            forEachBody(node, [](onnx::GraphProto& body) { forgetPositions(*body.mutable_node()); });
        }
    }

    /// The record of scopes names the nodes by where they stand in functions.
    static void restoreScopes(google::protobuf::RepeatedPtrField<onnx::StringStringEntryProto>& entries)
    {
        const auto before
            = std::ranges::find_if(entries, [](const auto& entry) { return entry.key() == kScopesBeforeKey; });
        if (before == entries.end())
            return;
        const std::string text = before->value();
        removeEntry(entries, kScopesBeforeKey);
        if (text.empty())
            removeEntry(entries, kScopeRecordKey);
        for (auto& entry : entries) {
            if (entry.key() == kScopeRecordKey)
                entry.set_value(text);
        }
    }

    onnx::ModelProto& m_proto;
    const std::set<FunctionName>& m_names;
    const FunctionTable* m_functions = nullptr;
    std::optional<ShownNames> m_shown;
    std::set<FunctionName> m_outlined;
    FreshNames m_taken; // in the list at hand and its bodies
    std::vector<const Names*> m_around; // in the graphs around it, outer ones first
};

} // namespace

std::vector<LocalFunction> localFunctions(const Model& model)
{
    std::vector<LocalFunction> list;
    if (!model.source)
        return list;
    onnx::ModelProto proto;
    model.source->structure->parse(proto);
    const auto functions = FunctionTable::of(proto);
    if (!functions)
        return list;
    std::unordered_map<const onnx::FunctionProto*, std::int64_t> calls;
    const auto visit = [&](const onnx::NodeProto& node) {
        if (const auto* function = functions->calledBy(node))
            ++calls[function];
    };
    forEachNode(proto.graph().node(), visit);
    for (const auto& function : proto.functions())
        forEachNode(function.node(), visit);
    for (const auto& function : proto.functions())
        list.push_back({normalDomain(function.domain()), function.name(), function.overload(), calls[&function],
            isOutlined(function), {function.input().begin(), function.input().end()},
            {function.output().begin(), function.output().end()}});
    return list;
}

std::string raisedText(const std::set<std::pair<std::int64_t, std::int64_t>>& raised)
{
    std::string text;
    for (const auto& [from, to] : raised)
        text += (text.empty() ? "of functions and the model they are in, what is written for opset " : ", ")
            + std::to_string(from);
    return raised.empty() ? text : text + " of ai.onnx is read as opset " + std::to_string(raised.begin()->second);
}

Result<Inlined> inlinedModel(const std::shared_ptr<const Model>& original, const std::set<FunctionName>& functions,
    const JobContext& job, NamesBefore names)
{
    Inlined result;
    DUO_TRY(model,
        changedModel(
            original,
            [&](onnx::ModelProto& proto) -> Status {
                Inliner inliner(proto, functions, names == NamesBefore::AreKept ? original.get() : nullptr);
                DUO_CHECK(inliner.run());
                result.calls = inliner.calls;
                result.restored = inliner.restored;
                result.raised = std::move(inliner.raised);
                return success();
            },
            job));
    result.model = std::move(model);
    return result;
}

} // namespace duo
