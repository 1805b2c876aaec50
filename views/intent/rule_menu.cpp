// SPDX-License-Identifier: Apache-2.0
#include "views/intent/rule_menu.h"

#include "views/style/format.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QStringList>

namespace duo::ui {
namespace {

constexpr int kLabelLength = 48;

QString shortened(const QString& text)
{
    return text.size() <= kLabelLength ? text : QStringLiteral("…") + text.right(kLabelLength - 1);
}

QString menuLabel(const std::vector<RuleSubject>& subjects)
{
    // "&" would mark a mnemonic
    return subjects.size() == 1
        ? shortened(subjectText(subjects.front())).replace(QLatin1Char('&'), QLatin1String("&&"))
        : QStringLiteral("these %1").arg(nodesText(static_cast<std::int64_t>(subjects.size())));
}

/// The one operator type of the selected nodes, or nothing.
std::string commonType(const Selection& selection, const Model& model)
{
    std::string type;
    for (const NodeId node : selection.nodes) {
        if (!type.empty() && model.node(node).opType != type)
            return {};
        type = model.node(node).opType;
    }
    return type;
}

/// The narrower choice beside a scope that runs several times.
void addOneCall(std::vector<SubjectChoice>& choices, const RuleSubject& subject)
{
    if (!subject.call.empty())
        choices.push_back({QStringLiteral("only this call (%1)").arg(shortened(toQt(subject.call))),
            {{RuleKind::ExecutionScope, subject.call}}});
}

void addExecutionScope(std::vector<SubjectChoice>& choices, const RuleSubject& subject)
{
    choices.push_back({QStringLiteral("its execution scope %1").arg(shortened(toQt(subject.value))), {subject}});
    addOneCall(choices, subject);
}

void addActionsOfWindow(QMenu& menu)
{
    const QWidget* around = menu.parentWidget();
    for (QAction* action : around ? around->window()->actions() : QList<QAction*>()) {
        if (action->property(kForSelection).toBool())
            menu.addAction(action);
    }
}

} // namespace

std::vector<SubjectChoice> subjectChoices(const Selection& selection, const Model& model, const Scopes& scopes)
{
    std::vector<SubjectChoice> choices;
    if (auto subjects = subjectsOf(selection, model, scopes); !subjects.empty()) {
        choices.push_back({menuLabel(subjects), subjects});
        addOneCall(choices, subjects.front());
    }
    if (selection.scope) {
        const Scope& scope = treeOf(scopes, selection.scope->tree).scope(selection.scope->scope);
        if (!scope.className.empty() && scope.parent.valid())
            choices.push_back({QStringLiteral("all of class %1").arg(shortened(toQt(scope.className))),
                {{RuleKind::Class, scope.className}}});
        return choices;
    }
    if (selection.nodes.size() == 1) {
        const NodeScope& facts = scopes.nodes[selection.nodes.front().index];
        if (!facts.execution.empty())
            addExecutionScope(choices, callsSubject(scopes.execution, facts.executionScope));
        if (!facts.storage.empty() && !facts.storage.front().empty())
            choices.push_back({QStringLiteral("its storage scope %1").arg(shortened(toQt(facts.storage.front()))),
                {{RuleKind::StorageScope, facts.storage.front()}}});
    }
    if (const std::string type = commonType(selection, model); !type.empty())
        choices.push_back({QStringLiteral("all of type %1").arg(toQt(type)), {{RuleKind::Type, type}}});
    return choices;
}

QString nameOf(const Selection& selection, const Model& model, const Scopes& scopes)
{
    if (selection.scope)
        return toQt(treeOf(scopes, selection.scope->tree).scope(selection.scope->scope).path);
    QStringList names;
    for (const NodeId node : selection.nodes)
        names += toQt(model.node(node).name);
    return names.join(QLatin1Char('\n'));
}

void addRuleActions(QMenu& menu, const Selection& selection, const Model& model, const Scopes& scopes,
    std::function<void(const RuleIntent&)> emitIntent)
{
    const auto choices = subjectChoices(selection, model, scopes);
    using Verb = RuleIntent::Verb;
    for (const auto& [verb, word] :
        {std::pair(Verb::Ignore, QStringLiteral("Ignore %1")), std::pair(Verb::Target, QStringLiteral("Target %1"))}) {
        for (const SubjectChoice& choice : choices) {
            QAction* action = menu.addAction(word.arg(choice.text));
            QObject::connect(action, &QAction::triggered, &menu,
                [emitIntent, intent = RuleIntent{verb, choice.subjects}] { emitIntent(intent); });
        }
        menu.addSeparator();
    }
    if (!choices.empty()) {
        QAction* clear = menu.addAction(QStringLiteral("Clear rules about %1").arg(choices.front().text));
        QObject::connect(clear, &QAction::triggered, &menu,
            [emitIntent, intent = RuleIntent{Verb::Clear, choices.front().subjects}] { emitIntent(intent); });
    }
    if (!selection.nodes.empty()) {
        menu.addSeparator();
        for (const auto& [verb, text] : {std::pair(Verb::AsSubgraph, QStringLiteral("As subgraph…")),
                 std::pair(Verb::MakePattern, QStringLiteral("Make pattern…"))})
            QObject::connect(menu.addAction(text), &QAction::triggered, &menu, [emitIntent, chosen = verb] {
                emitIntent({chosen, {}});
            });
        menu.addSeparator();
    }
    addActionsOfWindow(menu);
    QAction* copy = menu.addAction(QStringLiteral("Copy name"));
    QObject::connect(copy, &QAction::triggered, &menu,
        [text = nameOf(selection, model, scopes)] { QGuiApplication::clipboard()->setText(text); });
}

} // namespace duo::ui
