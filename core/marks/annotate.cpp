// SPDX-License-Identifier: Apache-2.0
#include "core/marks/annotate.h"

#include "core/rules/near_names.h"
#include "core/support/phrases.h"
#include "core/support/sorted.h"

#include <algorithm>

namespace duo {
namespace {

std::string countText(std::int64_t count, std::string_view one, std::string_view several)
{
    return std::to_string(count) + " " + std::string(count == 1 ? one : several);
}

/// Objects below some of a tree, in the order of PyTorch's modules().
class Walk
{
public:
    explicit Walk(const ModuleTree& tree)
        : m_tree(tree)
        , m_seen(tree.modules.size(), false)
    {
    }

    void from(std::uint32_t root)
    {
        std::vector<std::uint32_t> open{root};
        while (!open.empty()) {
            const std::uint32_t module = open.back();
            open.pop_back();
            if (m_seen[module])
                continue;
            m_seen[module] = true;
            m_met.push_back(module);
            const auto& children = m_tree.modules[module].children;
            open.insert(open.end(), children.rbegin(), children.rend());
        }
    }

    [[nodiscard]] const std::vector<std::uint32_t>& met() const { return m_met; }
    [[nodiscard]] bool hasMet(std::uint32_t module) const { return m_seen[module]; }

private:
    const ModuleTree& m_tree;
    std::vector<bool> m_seen;
    std::vector<std::uint32_t> m_met;
};

class Annotation
{
public:
    explicit Annotation(const ModuleTree& tree)
        : m_tree(tree)
    {
        m_result.states.assign(tree.modules.size(), MarkState::None);
        m_result.settings.resize(tree.modules.size());
    }

    Marked run(const std::vector<Mark>& marks)
    {
        for (const Mark& mark : marks) {
            m_result.marks.push_back(mark.enabled ? outcome(mark) : MarkOutcome{});
            for (const std::uint32_t module : m_result.marks.back().marked) {
                m_result.states[module] = MarkState::Marked;
                for (const MarkSetting& setting : mark.settings)
                    setInPlace(m_result.settings[module], setting);
            }
        }
        for (const MarkOutcome& outcome : m_result.marks) {
            for (const std::uint32_t module : outcome.ignored) {
                if (m_result.states[module] == MarkState::None)
                    m_result.states[module] = MarkState::Ignored;
            }
        }
        count();
        return std::move(m_result);
    }

private:
    std::uint32_t find(const std::string& path, MarkOutcome& outcome) const
    {
        const std::uint32_t module = m_tree.find(path);
        if (module != ModuleTree::kNone || !outcome.problem.empty())
            return module;
        const bool isCall = path.find('#') != std::string::npos || path.find('@') != std::string::npos;
        outcome.problem
            = "there is no module " + inQuotes(path) + (isCall ? ": a mark means a module, not one of its calls" : "");
        std::vector<std::string_view> names;
        names.reserve(m_tree.modules.size());
        for (const TreeModule& known : m_tree.modules)
            names.emplace_back(known.path);
        outcome.suggestions = nearestNames(path, names);
        return module;
    }

    MarkOutcome outcome(const Mark& mark) const
    {
        MarkOutcome result;
        result.root = find(mark.root, result);
        Walk below(m_tree); // ignored modules, and what lies below them
        std::vector<bool> isIgnored(m_tree.modules.size(), false);
        for (const std::string& path : mark.ignored) {
            const std::uint32_t module = find(path, result);
            if (module == ModuleTree::kNone)
                return result;
            isIgnored[module] = true;
            if (mark.expandIgnored)
                below.from(module);
        }
        if (result.root == ModuleTree::kNone)
            return result;
        Walk walk(m_tree);
        walk.from(result.root);
        for (const std::uint32_t module : walk.met())
            (isIgnored[module] || below.hasMet(module) ? result.ignored : result.marked).push_back(module);
        return result;
    }

    void count()
    {
        for (std::size_t m = 0; m < m_result.states.size(); ++m) {
            if (m_result.states[m] != MarkState::Marked)
                continue;
            const TreeModule& module = m_tree.modules[m];
            ++m_result.counts.modules;
            m_result.counts.aliases += static_cast<std::int64_t>(module.otherPaths.size());
            m_result.nodes.insert(m_result.nodes.end(), module.nodes.begin(), module.nodes.end());
        }
        m_result.counts.paths = m_result.counts.modules + m_result.counts.aliases;
        sortUniqueInPlace(m_result.nodes);
        m_result.counts.nodes = static_cast<std::int64_t>(m_result.nodes.size());
    }

    const ModuleTree& m_tree;
    Marked m_result;
};

} // namespace

Marked annotate(const ModuleTree& tree, const std::vector<Mark>& marks)
{
    return Annotation(tree).run(marks);
}

std::string markCountsText(const MarkCounts& counts)
{
    return countText(counts.modules, "module", "modules") + ", " + countText(counts.paths, "path", "paths") + ", "
        + countText(counts.aliases, "alias", "aliases") + ", " + countText(counts.nodes, "node", "nodes");
}

} // namespace duo
