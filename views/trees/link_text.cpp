// SPDX-License-Identifier: Apache-2.0
#include "views/trees/link_text.h"

#include "views/style/format.h"
#include "views/style/scope_text.h"

#include <QStringList>

#include <algorithm>
#include <set>

namespace duo::ui {
namespace {

constexpr int kNamed = 3; // scopes named before the rest is counted

QString named(const std::set<std::string>& paths)
{
    QStringList texts;
    for (const auto& path : paths) {
        if (texts.size() == kNamed) {
            texts += QStringLiteral("%1 more").arg(countText(static_cast<std::int64_t>(paths.size()) - kNamed));
            break;
        }
        texts += scopeLabel(path);
    }
    return texts.join(QStringLiteral(", "));
}

QString away(LinkEnd end)
{
    switch (end) {
    case LinkEnd::Row:
        return {};
    case LinkEnd::Above:
        return QStringLiteral("Its other end is out of sight, further up; F6 goes there.");
    case LinkEnd::Below:
        return QStringLiteral("Its other end is out of sight, further down; F6 goes there.");
    }
    return {};
}

QString nodeLinkText(const TreeContent& content, NodeId node)
{
    const NodeScope& facts = content.nodeScope(node);
    QStringList lines = {toQt(content.snapshot->model->node(node).name)};
    if (facts.differs)
        lines += differenceSentence(facts);
    else
        lines += QStringLiteral("One to one: runs in %1, where the parameters it reads live.")
                     .arg(scopeLabel(facts.execution));
    if (facts.executionFrom == Provenance::Guess)
        lines += QStringLiteral("Where it runs is a guess.");
    if (facts.storageFrom == Provenance::Guess)
        lines += QStringLiteral("Whose parameters it reads is a guess.");
    return lines.join(QLatin1Char('\n'));
}

QString groupLinkText(const TreeContent& content, const std::vector<NodeId>& nodes)
{
    std::set<std::string> runs;
    std::set<std::string> lives;
    std::int64_t differing = 0;
    std::int64_t guessed = 0;
    for (const NodeId node : nodes) {
        const NodeScope& facts = content.nodeScope(node);
        runs.insert(facts.execution);
        lives.insert(facts.storage.begin(), facts.storage.end());
        differing += facts.differs ? 1 : 0;
        guessed += facts.executionFrom == Provenance::Guess || facts.storageFrom == Provenance::Guess ? 1 : 0;
    }
    QStringList lines = {nodesText(static_cast<std::int64_t>(nodes.size()))};
    lines += QStringLiteral("run in: ") + named(runs);
    lines += QStringLiteral("read parameters of: ") + named(lives);
    lines += differing == 0 ? QStringLiteral("All run where their parameters live.")
                            : QStringLiteral("%1 run and live in different scopes.").arg(countText(differing));
    if (guessed > 0)
        lines += QStringLiteral("%1 of them by a guess.").arg(countText(guessed));
    return lines.join(QLatin1Char('\n'));
}

bool isFolded(const TreeContent& content, const ScopeRow& row)
{
    const auto& reasons = content.nodeScope(row.node).reasons;
    return std::find(reasons.begin(), reasons.end(), Reason::FoldedProducers) != reasons.end();
}

QString subject(const TreeContent& content, const ScopeRow& row)
{
    switch (row.kind) {
    case ScopeRow::Kind::Scope:
        return scopeLabel(content.scope(row).path);
    case ScopeRow::Kind::Node:
        return toQt(content.snapshot->model->node(row.node).name);
    case ScopeRow::Kind::Parameter:
    case ScopeRow::Kind::Constant:
        break;
    }
    return toQt(content.tensorName(row));
}

} // namespace

QString linkText(const LinkSets& sets, const TreeContent& content, const Link& link)
{
    const auto nodes = nodesOn(sets, link.executionSpan, link.storageSpan);
    if (nodes.empty())
        return {};
    const QString text = nodes.size() == 1 ? nodeLinkText(content, nodes.front()) : groupLinkText(content, nodes);
    return link.end == LinkEnd::Row ? text : text + QLatin1Char('\n') + away(link.end);
}

QString markSentence(const TreeContent& content, const ScopeRow& row, const LinkMark& mark)
{
    const QString what = subject(content, row);
    switch (mark.kind) {
    case LinkMark::Kind::None:
        return {};
    case LinkMark::Kind::NoStorage:
        return QStringLiteral("%1\nNo parameters: it stands nowhere in the storage tree.").arg(what);
    case LinkMark::Kind::Several:
        return QStringLiteral("%1\n%2: 1 node (execution) for the parameters of %3 modules (storage).")
            .arg(what, isFolded(content, row) ? QStringLiteral("Folded") : QStringLiteral("Several owners"),
                countText(mark.count));
    case LinkMark::Kind::Shared:
        return QStringLiteral("%1\nShared: 1 module (storage) that runs %2 times (execution).")
            .arg(what, countText(mark.count));
    case LinkMark::Kind::NeverExecuted:
        return QStringLiteral("%1\nNever executed: no node reads it, so it stands nowhere in the execution tree.")
            .arg(what);
    case LinkMark::Kind::PartlyNeverExecuted:
        return QStringLiteral("%1\n%2 of the modules below never run.").arg(what, countText(mark.count));
    }
    return {};
}

QString linkLegend()
{
    return QStringLiteral("Links join where a node runs (left) and where its parameters live (right).\n"
                          "≠\truns and lives in different scopes\n"
                          "?\ta guess, drawn dashed\n"
                          "1:3\tone module that runs three times (shared)\n"
                          "2:1\tone node for two modules (folded)\n"
                          "○\tno parameters\n"
                          "✕\tnever executed\n"
                          "▲ ▼\tthe other end is out of sight\n"
                          "Click a link to select its nodes; F6 goes to the other end; drag to give a tree more room.");
}

} // namespace duo::ui
