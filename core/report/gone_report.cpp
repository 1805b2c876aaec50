// SPDX-License-Identifier: Apache-2.0
#include "core/report/gone_report.h"

#include "core/transform/fused_names.h"

#include <algorithm>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Json passesOf(const TransformReport& report, const std::string& name)
{
    Json passes = Json::array();
    for (const PassReport& pass : report.passes) {
        if (std::ranges::find(pass.applied, name, &TransformedNode::name) != pass.applied.end())
            passes.push_back({{"id", pass.id}, {"does", pass.does}});
    }
    return passes;
}

Json namesOfParts(const Model& model, const std::string& name)
{
    Json parts = Json::array();
    for (const Node& node : model.nodes) {
        const auto names = fusedNames(node);
        if (std::ranges::find(names, name) != names.end())
            parts.push_back(node.name);
    }
    return parts;
}

} // namespace

Result<Json> goneJson(const BeforeAndAfter& both, const std::string& name)
{
    const NodeId id = both.opened.findNode(name);
    if (!id.valid() && both.scopes.execution.find(name).valid())
        return Error{ErrorCode::Usage, "all nodes of this scope went when the model was simplified", name,
            "give --no-transform to see it as it was"};
    if (!id.valid() || both.model.findNode(name).valid())
        return Error{ErrorCode::Usage, "no node of this name went when the model was simplified", name, "see explain"};
    const Node& node = both.opened.node(id);
    return Json{{"name", node.name}, {"op_type", node.opType}, {"execution", both.scopes.nodes[id.index].execution},
        {"passes", passesOf(both.report, name)}, {"part_of", namesOfParts(both.model, name)}};
}

std::string goneText(const Json& gone)
{
    std::string text = "Node " + gone["name"].get<std::string>() + " (" + gone["op_type"].get<std::string>() + ")\n";
    const auto scope = gone["execution"].get<std::string>();
    text += "  ran in    " + (scope.empty() ? "the model itself" : scope) + "\n";
    text += "  is        not there any more: the model was simplified before anything was placed\n";
    for (const Json& pass : gone["passes"])
        text += "    " + pass["id"].get<std::string>() + ": " + pass["does"].get<std::string>() + "\n";
    for (const Json& part : gone["part_of"])
        text += "    it became a part of " + part.get<std::string>() + "\n";
    return text;
}

} // namespace duo
