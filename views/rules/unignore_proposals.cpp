// SPDX-License-Identifier: Apache-2.0
#include "views/rules/unignore_proposals.h"

#include "core/rules/scope_rule.h"
#include "core/support/sorted.h"
#include "views/intent/rule_intent.h"
#include "views/rules/name_patterns.h"
#include "views/style/format.h"
#include "views/style/tr.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace duo::ui {
namespace {

constexpr std::size_t kMostReplacing = 200; // rules in place of one

/// "rule 2", "rules 2 and 3", "rules 1, 2 and 5".
QString rulesText(const std::vector<std::size_t>& rules)
{
    if (rules.size() == 1)
        return tr("rule %1").arg(rules.front() + 1);
    QStringList numbers;
    for (std::size_t i = 0; i + 1 < rules.size(); ++i)
        numbers += QString::number(rules[i] + 1);
    return tr("rules %1 and %2").arg(numbers.join(QStringLiteral(", "))).arg(rules.back() + 1);
}

std::vector<NodeId> without(const std::vector<NodeId>& nodes, const std::vector<NodeId>& taken)
{
    std::vector<NodeId> rest;
    std::set_difference(nodes.begin(), nodes.end(), taken.begin(), taken.end(), std::back_inserter(rest));
    return rest;
}

std::vector<std::string> pathsOf(const ScopeTree& tree, const std::vector<ScopeId>& scopes)
{
    std::vector<std::string> paths;
    for (const ScopeId scope : scopes)
        paths.push_back(tree.scope(scope).path);
    return paths;
}

/// Texts that name these calls and no others: one without a number where all calls of the name are meant. O(scopes).
std::vector<std::string> callsOf(const ScopeTree& tree, const std::vector<ScopeId>& scopes)
{
    std::unordered_map<std::string, std::size_t> others; // calls of a name that are not meant
    for (const Scope& scope : tree.scopes)
        ++others[everyCall(scope.path)];
    for (const ScopeId scope : scopes)
        --others[everyCall(tree.scope(scope).path)];
    std::vector<std::string> texts;
    std::unordered_set<std::string> known;
    for (const ScopeId scope : scopes) {
        const std::string all = everyCall(tree.scope(scope).path);
        std::string text = others[all] == 0 ? all : oneCall(tree, scope);
        if (known.insert(text).second)
            texts.push_back(std::move(text));
    }
    return texts;
}

/// Rules that catch exactly `nodes`: the scopes of a tree all of whose nodes are among them, and names.
std::vector<Rule> rulesFor(const Snapshot& snapshot, const std::vector<NodeId>& nodes, const Rule& like)
{
    const bool isStorage = like.kind == RuleKind::StorageScope;
    const ScopeTree& tree = isStorage ? snapshot.scopes->storage : snapshot.scopes->execution;
    const Cover cover = coverNodes(tree, nodes, snapshot.model->nodes.size());
    std::vector<Rule> rules;
    const auto add = [&](const RuleSubject& subject) {
        Rule rule = ruleAbout(subject, like.action);
        rule.comment = like.comment;
        rules.push_back(std::move(rule));
    };
    for (const std::string& scope : isStorage ? pathsOf(tree, cover.scopes) : callsOf(tree, cover.scopes))
        add({isStorage ? RuleKind::StorageScope : RuleKind::ExecutionScope, scope});
    std::vector<NodeId> named;
    for (const auto& [scope, node] : cover.nodes)
        named.push_back(node);
    sortUniqueInPlace(named);
    for (const NodeId node : named)
        add(subjectsOf(selectNode(node), *snapshot.model, *snapshot.scopes).front());
    return rules;
}

/// The rules with each of `which` replaced by what `replacement` makes of it.
template <typename Replacement>
RuleSet replaced(const RuleSet& rules, const std::vector<std::size_t>& which, Replacement replacement)
{
    RuleSet after = rules;
    after.rules.clear();
    for (std::size_t i = 0; i < rules.rules.size(); ++i) {
        if (!std::binary_search(which.begin(), which.end(), i)) {
            after.rules.push_back(rules.rules[i]);
            continue;
        }
        for (Rule& rule : replacement(i))
            after.rules.push_back(std::move(rule));
    }
    return after;
}

std::string patternWithout(const Snapshot& snapshot, const std::string& pattern, const std::vector<NodeId>& nodes)
{
    std::string names;
    for (const NodeId node : nodes)
        names += (names.empty() ? "" : "|") + escaped(snapshot.model->node(node).name);
    return "(?!(?:" + names + ")$)(?:" + pattern + ")";
}

class UnignoreChoices
{
public:
    UnignoreChoices(const Snapshot& snapshot, const std::vector<NodeId>& selected, const QString& subject)
        : m_snapshot(snapshot)
        , m_selected(selected)
        , m_subject(subject)
        , m_ignored(ignoredNodes(*snapshot.hits))
    {
    }

    /// Leaves out what does not do it, and what does the same as a choice before.
    void add(const QString& title, const RuleSet& after)
    {
        const auto ignored = ignoredNodes(matchRules(*m_snapshot.model, *m_snapshot.scopes, after));
        std::vector<NodeId> still;
        std::set_intersection(
            ignored.begin(), ignored.end(), m_selected.begin(), m_selected.end(), std::back_inserter(still));
        if (!still.empty() || std::any_of(m_choices.begin(), m_choices.end(), [&](const Proposal& known) {
                return known.after == after;
            }))
            return;
        Proposal choice;
        choice.title = title;
        choice.nodes = without(m_ignored, ignored);
        choice.effect
            = tr("%1 no longer ignored, %2 ignored still")
                  .arg(nodesText(std::ssize(choice.nodes)), countText(static_cast<std::int64_t>(ignored.size())));
        choice.after = after;
        choice.undoText = tr("Take %1 out of what is ignored").arg(m_subject);
        m_choices.push_back(std::move(choice));
    }

    std::vector<Proposal> take() { return std::move(m_choices); }

private:
    const Snapshot& m_snapshot;
    const std::vector<NodeId>& m_selected;
    QString m_subject;
    std::vector<NodeId> m_ignored;
    std::vector<Proposal> m_choices;
};

void addSplit(UnignoreChoices& choices, const Snapshot& snapshot, const std::vector<NodeId>& selected,
    const std::vector<std::size_t>& which)
{
    const RuleSet& rules = snapshot.recipe.rules;
    std::size_t replacing = 0;
    const RuleSet after = replaced(rules, which, [&](std::size_t rule) {
        auto rest = rulesFor(snapshot, without(snapshot.hits->hits[rule].nodes, selected), rules.rules[rule]);
        replacing += rest.size();
        return rest;
    });
    if (replacing == 0 || replacing > kMostReplacing)
        return;
    choices.add(tr("Replace %1 by %2 for the rest")
                    .arg(rulesText(which), replacing == 1 ? tr("one rule") : tr("%1 rules").arg(replacing)),
        after);
}

void addPatterns(UnignoreChoices& choices, const Snapshot& snapshot, const std::vector<NodeId>& selected,
    const std::vector<std::size_t>& which)
{
    const RuleSet& rules = snapshot.recipe.rules;
    const bool areNames = std::all_of(
        which.begin(), which.end(), [&](std::size_t rule) { return rules.rules[rule].kind == RuleKind::Pattern; });
    if (!areNames || selected.size() > kMostReplacing)
        return;
    const auto leaveOut = [&](std::size_t index) {
        Rule rule = rules.rules[index];
        std::vector<NodeId> caught;
        const auto& nodes = snapshot.hits->hits[index].nodes;
        std::set_intersection(nodes.begin(), nodes.end(), selected.begin(), selected.end(), std::back_inserter(caught));
        rule.value = patternWithout(snapshot, rule.value, caught);
        return std::vector<Rule>{rule};
    };
    choices.add(tr("Let %1 leave out these names").arg(rulesText(which)), replaced(rules, which, leaveOut));
}

} // namespace

std::vector<std::size_t> rulesIgnoring(const Snapshot& snapshot, const std::vector<NodeId>& nodes)
{
    std::vector<std::size_t> rules;
    for (std::size_t i = 0; snapshot.hits && i < snapshot.hits->hits.size(); ++i) {
        const Rule& rule = snapshot.recipe.rules.rules[i];
        const auto& caught = snapshot.hits->hits[i].nodes;
        const bool catches = std::any_of(nodes.begin(), nodes.end(),
            [&](NodeId node) { return std::binary_search(caught.begin(), caught.end(), node); });
        if (rule.enabled && rule.action == RuleAction::Ignore && catches)
            rules.push_back(i);
    }
    return rules;
}

Proposals proposeUnignore(const Snapshot& snapshot, const std::vector<NodeId>& selected, const QString& subject)
{
    Proposals proposals;
    const auto which = rulesIgnoring(snapshot, selected);
    if (which.empty()) {
        proposals.question = tr("No rule ignores %1.").arg(subject);
        return proposals;
    }
    UnignoreChoices choices(snapshot, selected, subject);
    addSplit(choices, snapshot, selected, which);
    addPatterns(choices, snapshot, selected, which);
    const RuleSet& rules = snapshot.recipe.rules;
    const auto disable = [&](std::size_t index) {
        Rule rule = rules.rules[index];
        rule.enabled = false;
        return std::vector<Rule>{rule};
    };
    choices.add(tr("Disable %1").arg(rulesText(which)), replaced(rules, which, disable));
    choices.add(
        tr("Remove %1").arg(rulesText(which)), replaced(rules, which, [](std::size_t) { return std::vector<Rule>(); }));
    proposals.choices = choices.take();
    proposals.question = tr("%1 is ignored by %2. What is meant?").arg(subject, rulesText(which));
    if (!proposals.question.isEmpty())
        proposals.question[0] = proposals.question[0].toUpper();
    return proposals;
}

} // namespace duo::ui
