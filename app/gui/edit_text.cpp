// SPDX-License-Identifier: Apache-2.0
#include "app/gui/main_window.h"

#include "views/style/format.h"

namespace duo::app {
namespace {

QString verbWord(ui::RuleIntent::Verb verb)
{
    return verb == ui::RuleIntent::Verb::Target ? QStringLiteral("Target") : QStringLiteral("Ignore");
}

} // namespace

QString editText(const ui::RuleIntent& intent, const RuleSet& before, const RuleSet& after, const Snapshot& snapshot)
{
    const QString subject = intent.subjects.size() == 1
        ? ui::subjectText(intent.subjects.front())
        : ui::nodesText(static_cast<std::int64_t>(intent.subjects.size()));
    if (after.rules.size() < before.rules.size() || intent.verb == ui::RuleIntent::Verb::Clear)
        return QStringLiteral("Clear rules about %1").arg(subject);
    QString text = QStringLiteral("%1 %2").arg(verbWord(intent.verb), subject);
    if (intent.subjects.size() != 1 || intent.subjects.front().kind == RuleKind::Name)
        return text;
    RuleSet only;
    only.rules.emplace_back();
    only.rules.front().kind = intent.subjects.front().kind;
    only.rules.front().value = intent.subjects.front().value;
    const RuleHits hits = matchRules(*snapshot.model, *snapshot.scopes, only);
    return text + QStringLiteral(" (%1)").arg(ui::nodesText(static_cast<std::int64_t>(hits.hits.front().nodes.size())));
}

} // namespace duo::app
