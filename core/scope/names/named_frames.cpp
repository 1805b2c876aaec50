// SPDX-License-Identifier: Apache-2.0
#include "core/scope/names/named_frames.h"

#include "core/scope/frames/called_modules.h"
#include "core/scope/names/slashed_names.h"
#include "core/scope/names/spelled_node.h"

#include <algorithm>

namespace duo {
namespace {

/// Names inside a local function say nothing about scopes: the call does.
bool isInFunction(const Model& model, const Node& node)
{
    for (NodeId owner = model.region(node.region).owner; owner.valid();
         owner = model.region(model.node(owner).region).owner) {
        if (model.node(owner).isCall)
            return true;
    }
    return false;
}

bool isFiller(const Node& node)
{
    return node.opType == "Constant" || node.opType == "Identity";
}

std::vector<PathId> ownersOf(const std::vector<ParameterRead>& reads)
{
    std::vector<PathId> owners;
    for (const ParameterRead& read : reads) {
        if (read.owner.valid() && read.owner != ModulePaths::root())
            owners.push_back(read.owner);
    }
    std::sort(owners.begin(), owners.end());
    owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
    return owners;
}

/// Room for a module per component of each node, which the nodes are pointed at.
std::vector<PathId> modulePool(const ScopeSpellings& spellings, std::vector<SpelledNode>& nodes)
{
    std::size_t size = 0;
    for (const SpelledNode& node : nodes)
        size += static_cast<std::size_t>(spellings.depth(node.spelling));
    std::vector<PathId> pool(size);
    auto* next = pool.data();
    for (SpelledNode& node : nodes) {
        node.modules = {next, static_cast<std::size_t>(spellings.depth(node.spelling))};
        next += node.modules.size();
    }
    return pool;
}

/// Takes names apart, each spelling once.
class Speller
{
public:
    Speller(ScopeSpellings& spellings, const ModulePaths& paths, std::size_t nodes)
        : m_spellings(spellings)
        , m_slashed(paths)
    {
        m_known.reserve(nodes);
    }

    /// The scope in the name of a node; nothing if it is not of the exporter's form.
    std::optional<SpellingId> spell(const Node& node)
    {
        const std::size_t slash = node.localName.rfind('/');
        if (slash == std::string::npos || !isOpPart(std::string_view(node.localName).substr(slash + 1), node.opType))
            return std::nullopt; // checked for each node: nodes of all op types share the scope
        const auto [entry, isNew] = m_known.try_emplace(std::string_view(node.localName).substr(0, slash + 1));
        if (isNew) {
            const auto components = scopeComponents(node.localName, node.opType);
            if (components)
                entry->second = m_spellings.intern(m_slashed.merged(*components));
        }
        return entry->second;
    }

private:
    ScopeSpellings& m_spellings;
    SlashedNames m_slashed;
    std::unordered_map<std::string_view, std::optional<SpellingId>> m_known; // views into the model's names
};

} // namespace

void readNamedFrames(
    const Model& model, const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    const CalledModules called(model, parameters, paths);
    ScopeSpellings spellings(model.nodes.size());
    Speller speller(spellings, paths, model.nodes.size());
    std::vector<SpelledNode> spelled;
    spelled.reserve(model.nodes.size());
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const Node& node = model.nodes[n];
        if (nodes[n].isScoped || node.localName.empty() || isInFunction(model, node))
            continue;
        const auto spelling = speller.spell(node);
        if (!spelling)
            continue;
        SpelledNode entry;
        entry.node = static_cast<std::uint32_t>(n);
        entry.spelling = *spelling;
        entry.isFiller = isFiller(node);
        entry.owners = ownersOf(parameters.reads[n]);
        if (isModuleCall(node) && called.module(n).valid())
            entry.owners = {called.module(n)};
        spelled.push_back(std::move(entry));
    }
    const std::vector<PathId> pool = modulePool(spellings, spelled);
    findLastModules(spellings, paths, spelled);
    findOuterModules(spellings, paths, spelled);
    fillModules(spellings, paths, spelled);

    std::unordered_map<std::string_view, std::int32_t> kinds;
    for (const SpelledNode& entry : spelled) {
        FramedNode& framed = nodes[entry.node];
        framed.isScoped = true;
        framed.isFiller = entry.isFiller;
        framed.from = Provenance::Name;
        framed.kind
            = kinds.try_emplace(model.nodes[entry.node].opType, static_cast<std::int32_t>(kinds.size())).first->second;
        framed.frames.reserve(entry.modules.size());
        for (const PathId module : entry.modules)
            framed.frames.push_back({module, kNoMark});
        if (!framed.frames.empty())
            framed.frames.back().site = static_cast<std::int32_t>(entry.spelling.index);
    }
}

} // namespace duo
