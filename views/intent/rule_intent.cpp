// SPDX-License-Identifier: Apache-2.0
#include "views/intent/rule_intent.h"

#include "core/rules/scope_rule.h"
#include "views/style/format.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace duo::ui {
namespace {

using Key = std::pair<RuleKind, std::string_view>; // of a subject or a rule that stays

std::set<Key> keysOf(const std::vector<RuleSubject>& subjects)
{
    std::set<Key> keys;
    for (const auto& subject : subjects) {
        keys.emplace(subject.kind, subject.value);
        if (!subject.call.empty())
            keys.emplace(subject.kind, subject.call);
    }
    return keys;
}

bool isAbout(const Rule& rule, const std::set<Key>& keys)
{
    return rule.kind != RuleKind::Subgraph && keys.contains(Key(rule.kind, rule.value));
}

/// The scope that a text of oneCall names.
ScopeId callOfText(const ScopeTree& execution, const std::string& text)
{
    const auto caught = scopesCaught(execution, text); // parents come first
    const auto first = std::find(caught.begin(), caught.end(), true);
    return first == caught.end() ? ScopeId() : ScopeId(static_cast<std::size_t>(first - caught.begin()));
}

/// Where the node runs, unless that is a guess.
std::string knownScope(const NodeScope& node)
{
    return node.executionFrom == Provenance::Guess ? std::string() : node.execution;
}

} // namespace

RuleSubject callsSubject(const ScopeTree& execution, ScopeId scope)
{
    RuleSubject subject{RuleKind::ExecutionScope, everyCall(execution.scope(scope).path)};
    if (callsAlike(execution, scope).size() > 1)
        subject.call = oneCall(execution, scope);
    return subject;
}

QString callsText(const RuleSubject& subject, const ScopeTree& execution)
{
    const ScopeId scope = subject.call.empty() ? ScopeId() : callOfText(execution, subject.call);
    if (!scope.valid())
        return {};
    return QStringLiteral("%1 calls; only this one: %2")
        .arg(countText(static_cast<std::int64_t>(callsAlike(execution, scope).size())), toQt(subject.call));
}

std::vector<RuleSubject> subjectsOf(const Selection& selection, const Model& model, const Scopes& scopes)
{
    if (selection.scope) {
        if (selection.scope->tree == TreeKind::Execution)
            return {callsSubject(scopes.execution, selection.scope->scope)};
        return {{RuleKind::StorageScope, scopes.storage.scope(selection.scope->scope).path}};
    }
    std::vector<RuleSubject> subjects;
    subjects.reserve(selection.nodes.size());
    for (const NodeId node : selection.nodes)
        subjects.push_back({RuleKind::Name, model.node(node).name, knownScope(scopes.nodes[node.index])});
    return subjects;
}

QString subjectText(const RuleSubject& subject)
{
    const QString value = toQt(subject.value);
    switch (subject.kind) {
    case RuleKind::Name:
        return QStringLiteral("node %1").arg(value);
    case RuleKind::Pattern:
        return QStringLiteral("pattern %1").arg(value);
    case RuleKind::Type:
        return QStringLiteral("all %1").arg(value);
    case RuleKind::Subgraph:
        return QStringLiteral("subgraph");
    case RuleKind::ExecutionScope:
    case RuleKind::StorageScope:
        return value.isEmpty() ? QStringLiteral("the whole model") : QStringLiteral("scope %1").arg(value);
    case RuleKind::Class:
        return QStringLiteral("class %1").arg(value);
    }
    return {};
}

Rule ruleAbout(const RuleSubject& subject, RuleAction action)
{
    Rule rule;
    rule.action = action;
    rule.kind = subject.kind;
    rule.value = subject.value;
    rule.scope = subject.scope;
    return rule;
}

RuleSet applyIntent(const RuleSet& rules, const RuleIntent& intent)
{
    if (intent.verb == RuleIntent::Verb::AsSubgraph || intent.verb == RuleIntent::Verb::MakePattern)
        return rules;
    const std::set<Key> keys = keysOf(intent.subjects);
    const RuleAction action = intent.verb == RuleIntent::Verb::Target ? RuleAction::Target : RuleAction::Ignore;

    std::set<Key> present;
    for (const Rule& rule : rules.rules) {
        if (rule.enabled && rule.action == action && isAbout(rule, keys))
            present.emplace(rule.kind, rule.value);
    }
    const bool areAllThere = std::all_of(intent.subjects.begin(), intent.subjects.end(), [&](const RuleSubject& about) {
        return present.contains(Key(about.kind, about.value))
            || (!about.call.empty() && present.contains(Key(about.kind, about.call)));
    });
    const bool isRemoval = intent.verb == RuleIntent::Verb::Clear || (intent.isToggle && areAllThere);

    RuleSet result = rules;
    std::erase_if(result.rules, [&](const Rule& rule) {
        if (rule.action == RuleAction::Precision)
            return intent.verb == RuleIntent::Verb::Clear && isAbout(rule, keys);
        const bool keeps = !isRemoval && rule.enabled && rule.action == action;
        return isAbout(rule, keys) && !keeps;
    });
    if (isRemoval)
        return result;
    for (const RuleSubject& subject : intent.subjects) {
        if (present.emplace(subject.kind, subject.value).second)
            result.rules.push_back(ruleAbout(subject, action));
    }
    return result;
}

} // namespace duo::ui
