// SPDX-License-Identifier: Apache-2.0
#include "core/report/scopes_report.h"

#include "core/model/held_tensors.h"
#include "core/report/inspect_report.h"
#include "core/report/json_pieces.h"
#include "core/report/reason_sentences.h"
#include "core/scope/parameters/model_constants.h"
#include "core/scope/trees/evidence.h"
#include "core/support/phrases.h"

#include <map>
#include <tuple>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

/// A scope without its children.
Json scopeJson(const Scope& scope)
{
    return {{"scope", scope.path}, {"name", scope.name},
        {"class", scope.className.empty() ? Json() : Json(scope.className)}, {"calls", scope.calls},
        {"nodes", scope.totalNodes}, {"parameters", scope.totalParameters}, {"bytes", scope.totalBytes}};
}

/// Writes a tree one scope after the other.
class TreeWriter
{
public:
    TreeWriter(const ScopeTree& tree, const WriteText& write)
        : m_tree(tree)
        , m_write(write)
    {
    }

    void write(std::size_t indent)
    {
        if (m_tree.scopes.empty())
            return m_write("null");
        open(ScopeId(0), indent);
        while (!m_open.empty()) {
            Open& top = m_open.back();
            const Scope& scope = m_tree.scope(top.id);
            if (top.next == scope.children.size()) {
                close(scope, top.indent);
                m_open.pop_back();
                continue;
            }
            const std::size_t inner = top.indent + 4;
            m_write((top.next == 0 ? "\n" : ",\n") + std::string(inner, ' '));
            open(scope.children[top.next++], inner);
        }
    }

private:
    struct Open {
        ScopeId id;
        std::size_t indent = 0;
        std::size_t next = 0;
    };

    void open(ScopeId id, std::size_t indent)
    {
        std::string head = indented(scopeJson(m_tree.scope(id)), indent);
        head.resize(head.size() - indent - 2); // without its line with the brace
        m_write(head + ",\n" + std::string(indent + 2, ' ') + "\"children\": [");
        m_open.push_back({id, indent, 0});
    }

    void close(const Scope& scope, std::size_t indent) const
    {
        std::string tail = scope.children.empty() ? "]" : "\n" + std::string(indent + 2, ' ') + "]";
        if (scope.sameAs.valid())
            tail += ",\n" + std::string(indent + 2, ' ')
                + "\"same_as\": " + indented(m_tree.scope(scope.sameAs).path, 0);
        m_write(tail + "\n" + std::string(indent, ' ') + "}");
    }

    const ScopeTree& m_tree;
    const WriteText& m_write;
    std::vector<Open> m_open;
};

std::string classNote(const Scope& scope)
{
    return scope.className.empty() ? "" : " [" + scope.className.substr(scope.className.rfind('.') + 1) + "]";
}

int depthOf(const ScopeTree& tree, const Scope& scope)
{
    int depth = 0;
    for (ScopeId above = scope.parent; above.valid(); above = tree.scope(above).parent)
        ++depth;
    return depth;
}

/// Scopes in tree order; `mark` says what stands before the name.
template <typename Mark> void appendTree(std::string& text, const ScopeTree& tree, Mark mark)
{
    std::vector<ScopeId> open{ScopeId(0)};
    while (!open.empty() && !tree.scopes.empty()) {
        const ScopeId id = open.back();
        open.pop_back();
        const Scope& scope = tree.scope(id);
        text += mark(id);
        text.append(static_cast<std::size_t>(depthOf(tree, scope)) * 2, ' ');
        text += (scope.parent.valid() ? scope.name : "(model)") + classNote(scope) + "  " + scopeSizes(scope) + "\n";
        open.insert(open.end(), scope.children.rbegin(), scope.children.rend());
    }
}

std::string joined(const std::vector<std::string>& items)
{
    std::string text;
    for (const std::string& item : items)
        text += (text.empty() ? "" : ", ") + (item.empty() ? "(model)" : item);
    return text.empty() ? "nothing" : text;
}

/// All differences of the model.
void appendDifferences(std::string& text, const Model& model, const Scopes& scopes, const ScopeSources& sources)
{
    std::vector<NodeId> nodes;
    for (std::size_t n = 0; n < scopes.nodes.size(); ++n) {
        if (scopes.nodes[n].differs)
            nodes.emplace_back(n);
    }
    text += "\nDifferences: " + nodesText(nodes.size()) + "\n";
    for (const DifferenceGroup& group : groupDifferences(scopes, nodes))
        text += differenceText(model, scopes, sources, group);
}

std::size_t readersOf(const Model& model, const HeldTensor& held)
{
    return held.value.valid() ? model.value(held.value).uses.size() : 0;
}

std::int64_t keysNotFound(const Scopes& scopes)
{
    std::int64_t rest = scopes.keys;
    for (const auto& [provenance, keys] : scopes.matchedBy)
        rest -= keys;
    return rest;
}

Json coverageJson(const Scopes& scopes)
{
    Json matched = Json::object();
    for (const auto& [provenance, keys] : scopes.matchedBy)
        matched[provenance] = keys;
    return {{"keys", scopes.keys}, {"matched_by", std::move(matched)}, {"not_found", keysNotFound(scopes)}};
}

std::string coverageText(const Scopes& scopes)
{
    std::string text = "\nKeys: " + countText(scopes.keys);
    for (const auto& [provenance, keys] : scopes.matchedBy)
        text += ", " + countText(keys) + (provenance == "guess" ? " guessed" : " found by " + provenance);
    return text + ", " + countText(keysNotFound(scopes)) + " read by no node\n";
}

} // namespace

Json nodeScopeJson(const Node& node, const NodeScope& scope)
{
    Json reasons = Json::array();
    for (const Reason reason : scope.reasons)
        reasons.push_back(reasonText(reason));
    return {{"name", node.name}, {"op_type", node.opType}, {"execution", scope.execution},
        {"long_form", scope.longForm}, {"storage", scope.storage}, {"keys", scope.keys}, {"differs", scope.differs},
        {"reasons", std::move(reasons)},
        {"provenance",
            {{"execution", provenanceText(scope.executionFrom)}, {"storage", provenanceText(scope.storageFrom)}}}};
}

std::string scopeSizes(const Scope& scope)
{
    std::string text = nodesText(static_cast<std::size_t>(scope.totalNodes));
    if (scope.totalParameters > 0)
        text += ", " + counted(static_cast<std::size_t>(scope.totalParameters), "parameter", "parameters") + " ("
            + bytesText(scope.totalBytes) + ")";
    return text;
}

std::vector<DifferenceGroup> groupDifferences(const Scopes& scopes, const std::vector<NodeId>& nodes)
{
    using Alike = std::tuple<std::uint32_t, std::vector<std::string>, std::vector<Reason>>;
    std::map<Alike, DifferenceGroup> groups;
    for (const NodeId id : nodes) {
        const NodeScope& node = scopes.nodes[id.index];
        if (node.differs)
            groups[{node.executionScope.index, node.storage, node.reasons}].nodes.push_back(id);
    }
    std::vector<DifferenceGroup> ordered;
    for (auto& [alike, group] : groups)
        ordered.push_back(std::move(group));
    return ordered;
}

std::string differenceText(
    const Model& model, const Scopes& scopes, const ScopeSources& sources, const DifferenceGroup& group)
{
    const NodeId first = group.nodes.front();
    const NodeScope& node = scopes.nodes[first.index];
    std::string text = "  " + (node.execution.empty() ? "(model)" : node.execution) + " reads " + joined(node.storage)
        + ": " + model.node(first).name;
    text += group.nodes.size() > 1 ? " and " + countText(group.nodes.size() - 1) + " more\n" : "\n";
    for (const ReasonEvidence& evidence : explainDifference(model, scopes, first, sources))
        text += "    " + std::string(reasonText(evidence.reason)) + ": "
            + reasonSentence(model, scopes, first, evidence) + "\n";
    return text;
}

void writeScopesJson(const Model& model, const Scopes& scopes, const WriteText& write, const Json& more)
{
    write("{\n  \"nodes\": [");
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        write((n == 0 ? "\n    " : ",\n    ") + indented(nodeScopeJson(model.nodes[n], scopes.nodes[n]), 4));
    write(model.nodes.empty() ? "],\n" : "\n  ],\n");
    write("  \"never_executed\": " + indented(scopes.neverExecuted, 2) + ",\n  \"execution_tree\": ");
    TreeWriter(scopes.execution, write).write(2);
    write(",\n  \"storage_tree\": ");
    TreeWriter(scopes.storage, write).write(2);
    write(",\n  \"coverage\": " + indented(coverageJson(scopes), 2));
    for (const auto& [key, value] : more.items())
        write(",\n  " + Json(key).dump() + ": " + indented(value, 2));
    write("\n}");
}

Json constantsJson(const Model& model, const Scopes& scopes)
{
    Json constants = Json::array();
    for (const HeldTensor& held : modelConstants(model, scopes)) {
        const Tensor& tensor = model.tensor(held.tensor);
        constants.push_back({{"name", held.name}, {"type", elementTypeName(tensor.type)}, {"shape", tensor.dims},
            {"bytes", storedBytes(tensor)}, {"readers", readersOf(model, held)}});
    }
    return constants;
}

std::string constantsText(const Model& model, const Scopes& scopes)
{
    const std::vector<HeldTensor> constants = modelConstants(model, scopes);
    std::string text = "\nConstants: " + counted(constants.size(), "tensor", "tensors") + "\n";
    for (const HeldTensor& held : constants) {
        const Tensor& tensor = model.tensor(held.tensor);
        text += "  " + std::string(held.name) + "  " + std::string(elementTypeName(tensor.type)) + "[";
        for (std::size_t i = 0; i < tensor.dims.size(); ++i)
            text += (i > 0 ? "," : "") + std::to_string(tensor.dims[i]);
        text += "], read by " + nodesText(static_cast<std::size_t>(readersOf(model, held))) + "\n";
    }
    return text;
}

std::string scopesText(const Model& model, const Scopes& scopes, const ScopeSources& sources)
{
    std::vector<bool> differs(scopes.execution.scopes.size(), false);
    for (const NodeScope& node : scopes.nodes) {
        if (node.differs && node.executionScope.valid())
            differs[node.executionScope.index] = true;
    }
    std::string text = "Execution scopes: where operations run (! reads or runs elsewhere)\n";
    appendTree(text, scopes.execution, [&](ScopeId id) { return differs[id.index] ? "! " : "  "; });
    text += "\nStorage scopes: where parameters live (x2 runs twice, - does not run itself)\n";
    appendTree(text, scopes.storage, [&](ScopeId id) {
        const std::int64_t calls = scopes.storage.scope(id).calls;
        const std::string mark = calls == 0 ? "-" : calls == 1 ? "" : "x" + std::to_string(calls);
        return mark + std::string(mark.size() < 4 ? 4 - mark.size() : 1, ' ');
    });
    appendDifferences(text, model, scopes, sources);
    if (!scopes.neverExecuted.empty())
        text += "\nNever executed: " + joined(scopes.neverExecuted) + "\n";
    return text + coverageText(scopes);
}

} // namespace duo
