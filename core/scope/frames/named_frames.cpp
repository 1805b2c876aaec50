// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/named_frames.h"

#include "core/scope/facts/module_paths.h"
#include "core/scope/frames/called_modules.h"
#include "core/scope/frames/spelled_node.h"
#include "core/scope/parameters/key_counts.h"
#include "core/scope/producers/optimized_names.h"
#include "core/scope/producers/scope_names.h"
#include "core/support/digits.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace duo {
namespace {

class SlashedNames
{
public:
    /// What the exporter prints for those of the paths known so far that hold a slash.
    explicit SlashedNames(const ModulePaths& paths);

    /// The pieces between slashes put together again where together they are one name, perhaps with a call's number;
    /// longest names first. Views into `name`, which the pieces are views into.
    [[nodiscard]] std::vector<std::string_view> merged(std::vector<std::string_view> pieces) const;

private:
    [[nodiscard]] bool isName(std::string_view text) const;

    std::unordered_set<std::string> m_names;
};

constexpr std::size_t kMostPieces = 8; // of one name

/// The last atom of a path; after a number, from the nearest atom that is none.
std::string printedName(const ModulePaths& paths, PathId path)
{
    std::string name(paths.atom(path));
    for (PathId above = path; allDigits(paths.atom(above)) && paths.parent(above) != ModulePaths::root();) {
        above = paths.parent(above);
        name = std::string(paths.atom(above)) + "." + name;
    }
    return name;
}

SlashedNames::SlashedNames(const ModulePaths& paths)
{
    for (std::size_t p = 1; p < paths.size(); ++p) {
        if (paths.text(PathId(p)).find('/') == std::string::npos)
            continue;
        std::string name = printedName(paths, PathId(p));
        if (name.find('/') != std::string::npos)
            m_names.insert(std::move(name));
    }
}

bool SlashedNames::isName(std::string_view text) const
{
    if (m_names.contains(std::string(text)))
        return true;
    const auto base = withoutCallSuffix(text);
    return base && m_names.contains(std::string(*base));
}

std::vector<std::string_view> SlashedNames::merged(std::vector<std::string_view> pieces) const
{
    if (m_names.empty())
        return pieces;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < pieces.size();) {
        std::size_t count = std::min(kMostPieces, pieces.size() - i);
        const auto together = [&](std::size_t n) {
            const char* end = pieces[i + n - 1].data() + pieces[i + n - 1].size();
            return std::string_view(pieces[i].data(), static_cast<std::size_t>(end - pieces[i].data()));
        };
        while (count > 1 && !isName(together(count)))
            --count;
        names.push_back(together(count));
        i += count;
    }
    return names;
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
        sortUniqueInPlace(owners);
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
        name = exporterName(name);
        const std::size_t slash = name.rfind('/');
        if (slash == std::string_view::npos)
            return std::nullopt;
        const std::string_view op = name.substr(slash + 1);
        if (!isOpPart(op, opType) && !isAnyOpPart(op))
            return std::nullopt; // checked for each node: nodes of all op types share the scope
        const auto [entry, isNew] = m_known.try_emplace(name.substr(0, slash + 1));
        if (isNew) {
            const auto components = scopeComponents(name, op);
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

/// "fc_2" is the third call of what "fc" is the first one of.
void numberScope(ScopeSpellings& spellings, const SpelledNode& entry, FramedNode& framed)
{
    SpellingId series = entry.spelling;
    const std::string& component = spellings.component(entry.spelling);
    const auto base = withoutCallSuffix(component);
    if (entry.reading == Reading::WithCallSuffix && base) {
        const std::string_view number = std::string_view(component).substr(base->size() + 1);
        (void)std::from_chars(number.data(), number.data() + number.size(), framed.ordinal);
        series = spellings.child(spellings.parent(entry.spelling), *base);
    }
    framed.series = static_cast<std::int32_t>(series.index);
}

} // namespace

void readNamedFrames(const Model& model, const NodeOrder& order, const ProducerNames& names,
    const Parameters& parameters, ModulePaths& paths, std::vector<FramedNode>& nodes)
{
    const CalledModules called(model, parameters, paths);
    const ReadOwners owners(parameters, paths);
    ScopeSpellings spellings(model.nodes.size());
    Speller speller(spellings, paths, model.nodes.size());
    std::vector<SpelledNode> spelled;
    spelled.reserve(model.nodes.size());
    std::unordered_map<std::string_view, std::int32_t> kinds;
    for (const NodeId id : order.sequence) {
        const std::size_t n = id.index;
        const Node& node = model.nodes[n];
        // Names inside a local function say nothing about scopes: the call does.
        if (nodes[n].isScoped || node.localName.empty() || model.isInFunction(node))
            continue;
        const auto spelling = speller.spell(names.nodeName(NodeId(n)), node.opType);
        if (!spelling)
            continue;
        SpelledNode entry;
        entry.node = static_cast<std::uint32_t>(n);
        entry.spelling = *spelling;
        entry.isConstant = isConstantNode(node);
        entry.kind = kinds.try_emplace(node.opType, static_cast<std::int32_t>(kinds.size())).first->second;
        entry.owners = owners.of(parameters.reads[n]);
        if (isModuleCall(node) && called.module(n).valid())
            entry.owners = {called.module(n)};
        spelled.push_back(std::move(entry));
    }
    const std::vector<PathId> pool = modulePool(spellings, spelled);
    findLastModules(spellings, paths, spelled);
    findOuterModules(spellings, paths, spelled);
    fillModules(spellings, paths, spelled);

    for (const SpelledNode& entry : spelled) {
        FramedNode& framed = nodes[entry.node];
        framed.isScoped = true;
        framed.from = entry.isGuess ? Provenance::Guess : Provenance::Name;
        framed.kind = entry.kind;
        framed.frames.reserve(entry.modules.size());
        for (const PathId module : entry.modules)
            framed.frames.push_back({module, kNoMark});
        if (framed.frames.empty())
            continue;
        framed.frames.back().site = static_cast<std::int32_t>(entry.spelling.index);
        numberScope(spellings, entry, framed);
    }
}

} // namespace duo
