// SPDX-License-Identifier: Apache-2.0
#include "core/report/find_report.h"

#include "core/quantize/points/compressed.h"
#include "core/support/phrases.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

const Scope& scopeOf(const Scopes& scopes, const FoundThing& thing)
{
    return thing.kind == FoundThing::Kind::StorageScope ? scopes.storage.scope(thing.scope)
                                                        : scopes.execution.scope(thing.scope);
}

std::string_view kindText(FoundThing::Kind kind)
{
    switch (kind) {
    case FoundThing::Kind::ExecutionScope:
        return "execution-scope";
    case FoundThing::Kind::StorageScope:
        return "storage-scope";
    case FoundThing::Kind::Node:
        break;
    }
    return "node";
}

Json thingJson(const Model& model, const Scopes& scopes, const Decisions* decisions, const FoundThing& thing)
{
    Json json{{"kind", kindText(thing.kind)}};
    if (thing.kind != FoundThing::Kind::Node) {
        const Scope& scope = scopeOf(scopes, thing);
        json["name"] = scope.path;
        json["class"] = scope.className;
        json["nodes"] = scope.totalNodes;
        return json;
    }
    const Node& node = model.node(thing.node);
    json["name"] = node.name;
    json["op_type"] = node.opType;
    json["execution"] = scopes.nodes[thing.node.index].execution;
    json["state"] = decisions ? Json(nodeStateText((*decisions)[thing.node.index].state)) : Json();
    return json;
}

std::string thingText(const Model& model, const Scopes& scopes, const Decisions* decisions, const FoundThing& thing)
{
    if (thing.kind == FoundThing::Kind::Node) {
        const Node& node = model.node(thing.node);
        return node.name + " (" + node.opType
            + (decisions ? ", " + std::string(decisionWord((*decisions)[thing.node.index])) : "") + ")";
    }
    const Scope& scope = scopeOf(scopes, thing);
    return std::string(kindText(thing.kind)) + " " + scope.path + " ("
        + (scope.className.empty() ? "" : scope.className + ", ")
        + nodesText(static_cast<std::size_t>(scope.totalNodes)) + ")";
}

} // namespace

Json findJson(const SearchPlace& place, const Found& found)
{
    Json things = Json::array();
    for (const FoundThing& thing : found.things)
        things.push_back(thingJson(place.model, place.scopes, place.decisions, thing));
    Json gone = Json::array();
    for (const NodeId node : found.gone)
        gone.push_back({{"name", place.opened->node(node).name}, {"op_type", place.opened->node(node).opType},
            {"execution", place.openedScopes->nodes[node.index].execution}});
    return {{"found", std::move(things)}, {"gone", std::move(gone)}, {"given_up", found.givenUp}};
}

std::string findText(const SearchPlace& place, const Found& found)
{
    std::string text;
    for (const FoundThing& thing : found.things)
        text += thingText(place.model, place.scopes, place.decisions, thing) + "\n";
    for (const NodeId node : found.gone)
        text += place.opened->node(node).name + " (" + place.opened->node(node).opType
            + ", went when the model was simplified: see explain)\n";
    const std::size_t count = found.things.size() + found.gone.size();
    return text + (count == 0 ? "no match" : countText(count) + " found") + "\n";
}

} // namespace duo
