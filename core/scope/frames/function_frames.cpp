// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/function_frames.h"

#include "core/model/key_names.h"
#include "core/scope/frames/called_modules.h"
#include "core/support/digits.h"
#include "core/support/fresh_names.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kMostAdded = 22; // bytes: a dot, and "_" with a number

/// "n0", "node_7", "Block", "Block_3", "node_Block_3": what a tool calls a node that its program did not name.
bool isNumberedName(std::string_view name, std::string_view function)
{
    for (const std::string_view start : {std::string_view("node"), std::string_view("n"), function}) {
        if (name.starts_with(start))
            name.remove_prefix(start.size());
        if (name.starts_with('_'))
            name.remove_prefix(1);
    }
    return allDigits(name) || name.empty();
}

/// "enc.blk_0" of "/enc/blk_0"; "" where that is no path.
std::string pathOf(std::string_view name)
{
    std::string path(name.starts_with('/') ? name.substr(1) : name);
    std::ranges::replace(path, '/', '.');
    return hasEmptyAtom(path) ? std::string() : path;
}

/// A function is one part of a path, whatever it is called.
std::string partOf(std::string_view function)
{
    std::string part(function);
    std::ranges::replace_if(
        part, [](char c) { return c == '.' || c == '/'; }, '_');
    return part;
}

class CallNamer
{
public:
    CallNamer(const Model& model, ModulePaths& paths)
        : m_model(model)
        , m_paths(paths)
    {
    }

    /// The module that a call runs; invalid where its path would be too long.
    PathId module(NodeId id, PathId around)
    {
        std::vector<std::uint32_t> weights = initializers(id);
        if (weights.empty())
            return named(id, around);
        const auto [entry, isNew]
            = m_known.try_emplace({around, m_model.node(id).domain, m_model.node(id).opType, std::move(weights)});
        if (isNew)
            entry->second = named(id, around);
        return entry->second;
    }

private:
    struct Run {
        PathId around;
        std::string_view domain;
        std::string_view function;
        std::vector<std::uint32_t> weights; // values
        auto operator<=>(const Run& other) const
        {
            return std::tie(around.index, domain, function, weights)
                <=> std::tie(other.around.index, other.domain, other.function, other.weights);
        }
    };

    [[nodiscard]] std::vector<std::uint32_t> initializers(NodeId id) const
    {
        std::vector<std::uint32_t> values;
        for (const ValueId input : m_model.node(id).inputs) {
            if (input.valid() && m_model.value(input).initializer.valid())
                values.push_back(input.index);
        }
        return values;
    }

    PathId named(NodeId id, PathId around)
    {
        const Node& node = m_model.node(id);
        std::string base = isNumberedName(node.localName, node.opType) ? std::string() : pathOf(node.localName);
        if (base.empty())
            base = partOf(node.opType);
        if (m_paths.text(around).size() + base.size() + kMostAdded > ModulePaths::kLongest)
            return {};
        const PathId path = m_paths.intern(m_names.fresh(keyName(m_paths.text(around), base)));
        m_paths.setClassName(path, node.opType);
        return path;
    }

    const Model& m_model;
    ModulePaths& m_paths;
    std::map<Run, PathId> m_known;
    FreshNames m_names; // of paths
};

} // namespace

bool functionsTellModules(const Model& model)
{
    std::vector<bool> isInside(model.nodes.size(), false); // owners come before their regions' nodes
    std::size_t inside = 0;
    std::size_t all = 0;
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const NodeId owner = model.region(model.nodes[n].region).owner;
        isInside[n] = owner.valid() && (isInside[owner.index] || isModuleCall(model.node(owner)));
        if (isConstantNode(model.nodes[n]) || model.nodes[n].isCall)
            continue;
        inside += isInside[n] ? 1 : 0;
        ++all;
    }
    return inside * 2 > all;
}

void readFunctionFrames(const Model& model, const NodeOrder& order, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    CallNamer namer(model, paths);
    std::unordered_map<std::string_view, std::int32_t> kinds;
    for (const NodeId id : order.sequence) { // owners come before their regions' nodes
        const Node& node = model.node(id);
        const NodeId owner = model.region(node.region).owner;
        FramedNode& framed = nodes[id.index];
        framed.isScoped = true;
        framed.from = Provenance::Name;
        framed.kind = kinds.try_emplace(node.opType, static_cast<std::int32_t>(kinds.size())).first->second;
        if (owner.valid())
            framed.frames = nodes[owner.index].frames;
        if (!isModuleCall(node))
            continue;
        const PathId around = framed.frames.empty() ? ModulePaths::root() : framed.frames.back().path;
        if (const PathId module = namer.module(id, around); module.valid())
            framed.frames.push_back({module, static_cast<std::int32_t>(id.index)});
    }
}

} // namespace duo
