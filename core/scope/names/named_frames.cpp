// SPDX-License-Identifier: Apache-2.0
#include "core/scope/names/named_frames.h"

#include "core/scope/frames/called_modules.h"
#include "core/scope/keys/key_counts.h"
#include "core/scope/names/slashed_names.h"
#include "core/scope/names/spelled_node.h"

#include <algorithm>
#include <optional>

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

/// Modules whose parameters a node works with.
class ReadOwners
{
public:
    ReadOwners(const Parameters& parameters, const ModulePaths& paths)
        : m_parameters(parameters)
        , m_paths(paths)
    {
        if (std::ranges::any_of(parameters.keys, [](const Key& key) { return key.next != kNoKey; }))
            m_counts.emplace(paths, parameters);
    }

    [[nodiscard]] std::vector<PathId> of(const std::vector<ParameterRead>& reads) const
    {
        std::vector<PathId> owners;
        for (const ParameterRead& read : reads) {
            add(read.owner, owners);
            if (read.key != kNoKey && m_parameters.hasSeveralKeys(read.key))
                addTied(read.key, owners);
        }
        return sorted(std::move(owners));
    }

private:
    static void add(PathId owner, std::vector<PathId>& owners)
    {
        if (owner.valid() && owner != ModulePaths::root())
            owners.push_back(owner);
    }

    /// Embeddings and heads that share one tensor are several modules, and run under their own names. Where all around
    /// them is shared, too, the module around them is one that has several paths.
    [[nodiscard]] bool isTiedModule(PathId owner) const
    {
        const PathId around = m_paths.parent(owner);
        return around.valid() && m_counts->isOneKey(owner) && m_counts->untiedBelow(around) > 0;
    }

    void addTied(std::int32_t tied, std::vector<PathId>& owners) const
    {
        for (std::int32_t k = m_parameters.firstOf(tied); k != kNoKey; k = m_parameters.key(k).next) {
            if (isTiedModule(m_parameters.key(k).owner))
                add(m_parameters.key(k).owner, owners);
        }
    }

    static std::vector<PathId> sorted(std::vector<PathId> owners)
    {
        std::sort(owners.begin(), owners.end());
        owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
        return owners;
    }

    const Parameters& m_parameters;
    const ModulePaths& m_paths;
    std::optional<KeyCounts> m_counts; // nothing if nothing is tied
};

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
    std::optional<SpellingId> spell(std::string_view name, const std::string& opType)
    {
        const std::size_t slash = name.rfind('/');
        if (slash == std::string_view::npos || !isOpPart(name.substr(slash + 1), opType))
            return std::nullopt; // checked for each node: nodes of all op types share the scope
        const auto [entry, isNew] = m_known.try_emplace(name.substr(0, slash + 1));
        if (isNew) {
            const auto components = scopeComponents(name, opType);
            if (components)
                entry->second = m_spellings.intern(m_slashed.merged(*components));
        }
        return entry->second;
    }

private:
    ScopeSpellings& m_spellings;
    SlashedNames m_slashed;
    std::unordered_map<std::string_view, std::optional<SpellingId>> m_known; // views into names that outlive it
};

} // namespace

void readNamedFrames(const Model& model, const ProducerNames& names, const Parameters& parameters, ModulePaths& paths,
    std::vector<FramedNode>& nodes)
{
    const CalledModules called(model, parameters, paths);
    const ReadOwners owners(parameters, paths);
    ScopeSpellings spellings(model.nodes.size());
    Speller speller(spellings, paths, model.nodes.size());
    std::vector<SpelledNode> spelled;
    spelled.reserve(model.nodes.size());
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        const Node& node = model.nodes[n];
        if (nodes[n].isScoped || node.localName.empty() || isInFunction(model, node))
            continue;
        const auto spelling = speller.spell(names.nodeName(NodeId(n)), node.opType);
        if (!spelling)
            continue;
        SpelledNode entry;
        entry.node = static_cast<std::uint32_t>(n);
        entry.spelling = *spelling;
        entry.isFiller = isFiller(node);
        entry.owners = owners.of(parameters.reads[n]);
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
