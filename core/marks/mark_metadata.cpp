// SPDX-License-Identifier: Apache-2.0
#include "core/marks/mark_metadata.h"

#include "core/marks/mark_json.h"
#include "core/support/json.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

std::string lineOf(const Json& json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// [nodes] marked modules that each belongs to, in their order.
std::vector<std::vector<std::uint32_t>> modulesOfNodes(const Model& model, const ModuleTree& tree, const Marked& marked)
{
    std::vector<std::vector<std::uint32_t>> modules(model.nodes.size());
    for (std::uint32_t m = 0; m < tree.modules.size(); ++m) {
        if (marked.states[m] != MarkState::Marked)
            continue;
        for (const NodeId node : tree.modules[m].nodes)
            modules[node.index].push_back(m);
    }
    return modules;
}

std::string nodeText(const ModuleTree& tree, const Marked& marked, const std::vector<std::uint32_t>& modules)
{
    Json paths = Json::array();
    std::vector<MarkSetting> settings;
    for (const std::uint32_t module : modules) {
        paths.push_back(tree.modules[module].path);
        for (const MarkSetting& setting : marked.settings[module])
            setInPlace(settings, setting);
    }
    return lineOf({{"modules", std::move(paths)}, {"settings", markSettingsJson(settings)}});
}

} // namespace

EditList markEdits(const Model& model, const ModuleTree& tree, const std::vector<Mark>& marks, const Marked& marked,
    const std::vector<NodeId>& removed)
{
    EditList edits;
    edits.metadata.emplace_back(kMarksKey, lineOf(marksJson(marks)));
    const auto modules = modulesOfNodes(model, tree, marked);
    std::vector<bool> isRemoved(model.nodes.size(), false);
    for (const NodeId node : removed)
        isRemoved[node.index] = true;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const bool hasMark = !metadataValue(model.nodes[n].metadata, kNodeMarkKey).empty();
        if ((modules[n].empty() && !hasMark) || isRemoved[n] || model.isInFunction(model.nodes[n]))
            continue;
        Metadata entry{{std::string(kNodeMarkKey), modules[n].empty() ? "" : nodeText(tree, marked, modules[n])}};
        edits.nodeMetadata.emplace_back(NodeId(n), std::move(entry));
    }
    return edits;
}

std::vector<Mark> marksOf(const Model& model)
{
    const std::string_view text = metadataValue(model.metadata, kMarksKey);
    const std::string name(kMarksKey);
    const auto json = parseJson(text.empty() ? "[]" : text, name, ErrorCode::MalformedModel);
    auto marks = json ? marksFromJson(*json, name) : json.error();
    return marks ? *std::move(marks) : std::vector<Mark>{};
}

} // namespace duo
