// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/tagged_classes.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace duo {
namespace {

constexpr std::string_view kTag = "winml.hierarchy.tag";

/// "BertLayer" and "0" of "BertLayer.0", "Linear" and "query" of "Linear.query"; the second part may be empty.
struct TagPart {
    std::string_view className;
    std::string_view atom;
};

TagPart tagPart(std::string_view text)
{
    const std::size_t dot = std::min(text.find('.'), text.size());
    return {text.substr(0, dot), text.substr(std::min(dot + 1, text.size()))};
}

/// Outermost first; none if the tag is not of this form.
std::vector<TagPart> tagParts(std::string_view tag)
{
    std::vector<TagPart> parts;
    while (tag.starts_with('/')) {
        tag.remove_prefix(1);
        const std::size_t slash = std::min(tag.find('/'), tag.size());
        parts.push_back(tagPart(tag.substr(0, slash)));
        tag.remove_prefix(slash);
    }
    const bool hasAll = std::ranges::none_of(parts, [](const TagPart& part) { return part.className.empty(); });
    return tag.empty() && hasAll ? parts : std::vector<TagPart>{};
}

PathId moduleAt(const FramedNode& node, std::size_t part)
{
    return part == 0 ? ModulePaths::root() : node.frames[part - 1].path;
}

bool fits(const FramedNode& node, const std::vector<TagPart>& parts, const ModulePaths& paths)
{
    if (!node.isScoped || node.from > Provenance::Name || parts.size() != node.frames.size() + 1)
        return false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const PathId module = moduleAt(node, i);
        if (!module.valid() || (!parts[i].atom.empty() && parts[i].atom != paths.atom(module)))
            return false;
    }
    return true;
}

} // namespace

void readTaggedClasses(
    const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes, ModulePaths& paths)
{
    for (const NodeId id : order.sequence) {
        const std::string_view tag = metadataValue(model.node(id).metadata, kTag);
        if (tag.empty())
            continue;
        const std::vector<TagPart> parts = tagParts(tag);
        if (!fits(nodes[id.index], parts, paths))
            continue;
        for (std::size_t i = 0; i < parts.size(); ++i)
            paths.setClassName(moduleAt(nodes[id.index], i), parts[i].className);
    }
}

} // namespace duo
