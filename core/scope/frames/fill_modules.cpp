// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/spelled_node.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

namespace duo {
namespace {

/// One node in a group of nodes that pass through the same component of the same parent spelling.
struct Entry {
    SpellingId spelling; // of the component and those before it, without a call's number
    SpelledNode* node = nullptr;
    PathId parent; // module of the frame above
    bool isOwn = false; // the component is the node's last one: it runs there, not below
};

/// Fills one component (the `depth`-th) of the nodes of one group.
class Group
{
public:
    Group(ModulePaths& paths, std::size_t depth, std::string_view component, std::span<Entry> entries)
        : m_paths(paths)
        , m_depth(depth)
        , m_component(component)
        , m_entries(entries)
    {
    }

    void fill()
    {
        if (std::all_of(m_entries.begin(), m_entries.end(), [&](const Entry& e) { return module(e).valid(); }))
            return;
        std::map<PathId, std::vector<Entry*>> byParent;
        PathId any;
        PathId anyParent;
        for (Entry& entry : m_entries) {
            byParent[entry.parent].push_back(&entry);
            if (module(entry).valid() && !any.valid()) {
                any = module(entry);
                anyParent = entry.parent;
            }
        }
        for (auto& [parent, entries] : byParent) {
            const PathId sole = soleModule(entries);
            if (sole.valid())
                setAll(entries, sole);
            else if (std::any_of(entries.begin(), entries.end(), [&](const Entry* e) { return module(*e).valid(); }))
                fillByPosition(entries);
            else
                setAll(entries, any.valid() ? sameBelow(parent, anyParent, any) : join(parent));
        }
    }

private:
    PathId& module(const Entry& entry) const { return entry.node->modules[m_depth]; }

    void setAll(const std::vector<Entry*>& entries, PathId path) const
    {
        for (const Entry* entry : entries) {
            if (!module(*entry).valid())
                module(*entry) = path;
        }
    }

    PathId soleModule(const std::vector<Entry*>& entries) const
    {
        PathId sole;
        for (const Entry* entry : entries) {
            if (!module(*entry).valid() || module(*entry) == sole)
                continue;
            if (sole.valid())
                return {};
            sole = module(*entry);
        }
        return sole;
    }

    /// Several modules print alike (containers that are not called are left out of names). Nodes that run in one of
    /// them belong to the call next to them: one spelling is one call, and a call is named after it is entered.
    void fillByPosition(const std::vector<Entry*>& entries) const
    {
        std::map<SpellingId, PathId> bySpelling;
        for (const Entry* entry : entries) {
            if (entry->isOwn && module(*entry).valid())
                bySpelling.emplace(entry->node->spelling, module(*entry));
        }
        for (const bool constants : {false, true}) {
            const Entry* before = nullptr;
            for (std::size_t i = 0; i < entries.size(); ++i) {
                const Entry* entry = entries[i];
                if (entry->node->isConstant != constants) {
                    if (!entry->node->isConstant)
                        before = entry;
                    continue;
                }
                if (!module(*entry).valid())
                    module(*entry) = modulePlaced(entries, i, before, bySpelling);
                if (entry->isOwn)
                    bySpelling.emplace(entry->node->spelling, module(*entry));
                if (!constants)
                    before = entry;
            }
        }
    }

    PathId modulePlaced(const std::vector<Entry*>& entries, std::size_t at, const Entry* before,
        const std::map<SpellingId, PathId>& bySpelling) const
    {
        const Entry* entry = entries[at];
        if (const auto known = bySpelling.find(entry->node->spelling); entry->isOwn && known != bySpelling.end())
            return known->second;
        const bool isNewCall = before == nullptr || (entry->isOwn && before->isOwn);
        if (isNewCall) {
            for (std::size_t i = at + 1; i < entries.size() && i < at + kLookAhead; ++i) {
                if (module(*entries[i]).valid())
                    return module(*entries[i]);
            }
        }
        if (before != nullptr)
            return module(*before);
        for (const Entry* any : entries) {
            if (module(*any).valid())
                return module(*any);
        }
        return {};
    }

    /// The module that lies below `parent` as `known` lies below `knownParent`.
    PathId sameBelow(PathId parent, PathId knownParent, PathId known) const
    {
        if (parent == knownParent || !m_paths.contains(knownParent, known))
            return known;
        std::string text = m_paths.text(parent);
        if (!text.empty())
            text += '.';
        text += m_paths.relative(knownParent, known);
        return text.size() <= ModulePaths::kLongest ? m_paths.intern(text) : known;
    }

    /// The component as a child of its caller: "features" and "features.0" are "features.0", not "features.features.0".
    PathId join(PathId parent) const
    {
        std::string_view rest = m_component;
        for (std::size_t dot = rest.rfind('.'); dot != std::string_view::npos && dot > 0;
             dot = rest.rfind('.', dot - 1)) {
            if (m_paths.endsWith(parent, rest.substr(0, dot))) {
                rest = rest.substr(dot + 1);
                break;
            }
        }
        std::string text = m_paths.text(parent);
        if (!text.empty())
            text += '.';
        text += rest;
        return m_paths.intern(text);
    }

    static constexpr std::size_t kLookAhead = 256;
    ModulePaths& m_paths;
    std::size_t m_depth;
    std::string_view m_component;
    std::span<Entry> m_entries;
};

/// What nodes of each scope do, by kind; constants do nothing.
class Work
{
public:
    explicit Work(const std::vector<SpelledNode>& nodes)
    {
        for (const SpelledNode& node : nodes) {
            if (!node.isConstant)
                ++m_of[node.spelling][node.kind];
        }
    }

    /// One does nothing that the other does not do as often: folding leaves out what is constant in one call.
    [[nodiscard]] bool isAlike(SpellingId a, SpellingId b) const
    {
        const auto left = m_of.find(a);
        const auto right = m_of.find(b);
        return left != m_of.end() && right != m_of.end()
            && (isWithin(left->second, right->second) || isWithin(right->second, left->second));
    }

private:
    using Counts = std::map<std::int32_t, int>;

    static bool isWithin(const Counts& less, const Counts& more)
    {
        return std::all_of(less.begin(), less.end(), [&](const auto& entry) {
            const auto found = more.find(entry.first);
            return found != more.end() && found->second >= entry.second;
        });
    }

    std::unordered_map<SpellingId, Counts> m_of;
};

/// Decides how to read the last component where no parameter spoke. A number whose scope without it is not there, or
/// does something else, may be part of the name, or the first call was taken away by an optimizer.
void readLast(const ScopeSpellings& spellings, std::size_t knownSpellings, const Work& work, const ModulePaths& paths,
    std::size_t knownPaths, SpellingId spelling, PathId parent, SpelledNode& node)
{
    node.reading = Reading::Literal;
    const std::string& component = spellings.component(spelling);
    const auto stripped = withoutCallSuffix(component);
    if (!stripped || spellings.hasChildren(spelling))
        return;
    const std::string& above = paths.text(parent);
    const PathId stored = paths.find(above.empty() ? component : above + "." + component);
    if (stored.valid() && stored.index < knownPaths)
        return;
    const SpellingId base = spellings.find(spellings.parent(spelling), *stripped);
    const bool isRepeat = base.valid() && base.index < knownSpellings && work.isAlike(base, spelling);
    node.reading = isRepeat ? Reading::WithCallSuffix : Reading::Literal;
    node.isGuess = !isRepeat;
}

} // namespace

void fillModules(ScopeSpellings& spellings, ModulePaths& paths, std::vector<SpelledNode>& nodes)
{
    const Work work(nodes);
    const std::size_t knownSpellings = spellings.size();
    const std::size_t knownPaths = paths.size(); // so far from keys and from records only
    std::size_t deepest = 0;
    for (const SpelledNode& node : nodes)
        deepest = std::max(deepest, node.modules.size());

    for (std::size_t depth = 0; depth < deepest; ++depth) {
        std::vector<Entry> entries;
        entries.reserve(nodes.size());
        for (SpelledNode& node : nodes) {
            if (node.modules.size() <= depth)
                continue;
            SpellingId spelling = node.spelling;
            for (std::size_t up = node.modules.size() - 1; up > depth; --up)
                spelling = spellings.parent(spelling);
            const PathId parent = depth == 0 ? ModulePaths::root() : node.modules[depth - 1];
            const bool isOwn = node.modules.size() == depth + 1;
            if (isOwn && node.reading == Reading::Unknown)
                readLast(spellings, knownSpellings, work, paths, knownPaths, spelling, parent, node);
            if (isOwn && node.reading == Reading::WithCallSuffix)
                spelling = spellings.child(
                    spellings.parent(spelling), withoutCallSuffix(spellings.component(spelling)).value_or(""));
            entries.push_back({spelling, &node, parent, isOwn});
        }
        const auto isBefore = [](const Entry& a, const Entry& b) { return a.spelling < b.spelling; };
        std::stable_sort(entries.begin(), entries.end(), isBefore);
        for (auto first = entries.begin(); first != entries.end();) {
            const auto last = std::upper_bound(first, entries.end(), *first, isBefore);
            Group(paths, depth, spellings.component(first->spelling), {first, last}).fill();
            first = last;
        }
    }
}

} // namespace duo
