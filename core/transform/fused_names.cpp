// SPDX-License-Identifier: Apache-2.0
#include "core/transform/fused_names.h"

#include "core/model/value_address.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

/// A line each, and none twice.
struct Names {
    std::string lines;
    std::unordered_set<std::string> known;

    void add(std::string_view name)
    {
        if (!known.emplace(name).second)
            return;
        lines += lines.empty() ? "" : "\n";
        lines += name;
    }
};

void set(Metadata& metadata, const std::string& names)
{
    const auto known = std::ranges::find(metadata, kFusedKey, &Metadata::value_type::first);
    if (known == metadata.end())
        metadata.emplace_back(kFusedKey, names);
    else
        known->second = names;
}

} // namespace

Metadata metadataOfPart(const Node& node)
{
    Metadata metadata = node.metadata;
    std::erase_if(metadata, [](const auto& entry) { return entry.first == kNameBeforeKey; });
    if (metadataValue(metadata, kWrittenOfKey).empty())
        metadata.emplace_back(kWrittenOfKey, nameBefore(node));
    return metadata;
}

std::string_view nameBefore(const Node& node)
{
    const std::string_view before = metadataValue(node.metadata, kNameBeforeKey);
    return before.empty() ? std::string_view(node.name) : before;
}

NodeId nodeBefore(const Model& opened, const Node& node)
{
    const NodeId before = opened.findNode(nameBefore(node));
    return before.valid() ? before : opened.findNode(node.name);
}

NodeId nodeOnceCalled(const Model& model, std::string_view name)
{
    const auto found = std::ranges::find_if(
        model.nodes, [&](const Node& node) { return metadataValue(node.metadata, kNameBeforeKey) == name; });
    return found == model.nodes.end() ? NodeId() : NodeId(found - model.nodes.begin());
}

std::string nameOfMade(const Model& model, const NewNode& made)
{
    return addressPrefix(model, made.anchor.valid() ? model.node(made.anchor).region : made.region) + made.name;
}

void keepNamesBeforeInPlace(EditList& edits, const Model& model)
{
    for (NewNode& made : edits.newNodes) {
        const NodeId same = model.findNode(nameOfMade(model, made));
        if (!same.valid() || !metadataValue(made.metadata, kNameBeforeKey).empty())
            continue;
        if (const auto before = metadataValue(model.node(same).metadata, kNameBeforeKey); !before.empty())
            made.metadata.emplace_back(kNameBeforeKey, before);
    }
}

std::vector<std::string_view> fusedNames(const Node& node)
{
    std::vector<std::string_view> names;
    const auto entry = std::ranges::find(node.metadata, kFusedKey, &Metadata::value_type::first);
    std::string_view rest = entry == node.metadata.end() ? std::string_view() : std::string_view(entry->second);
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        if (end > 0)
            names.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return names;
}

void addFusedInPlace(EditList& edits, const Model& model, std::span<const std::pair<NodeId, NodeId>> fused)
{
    std::map<NodeId, Names> all;
    for (const auto& [stays, goes] : fused) {
        const auto [entry, isNew] = all.try_emplace(stays);
        Names& names = entry->second;
        if (isNew) {
            for (const std::string_view name : fusedNames(model.node(stays)))
                names.add(name);
        }
        names.add(nameBefore(model.node(goes)));
        if (const auto whole = metadataValue(model.node(goes).metadata, kWrittenOfKey); !whole.empty())
            names.add(whole);
        for (const std::string_view name : fusedNames(model.node(goes)))
            names.add(name);
    }
    std::unordered_map<std::string, NewNode*> made;
    for (NewNode& node : edits.newNodes)
        made.emplace(nameOfMade(model, node), &node);
    for (const auto& [stays, names] : all) {
        if (const auto copy = made.find(model.node(stays).name); copy != made.end())
            set(copy->second->metadata, names.lines);
        else
            edits.nodeMetadata.push_back({stays, {{std::string(kFusedKey), names.lines}}});
    }
}

} // namespace duo
