// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_row_text.h"

#include "core/model/held_tensors.h"
#include "core/report/decision_sentences.h"
#include "views/style/format.h"
#include "views/style/scope_text.h"
#include "views/style/shown_text.h"

#include <QStringList>

namespace duo::ui {
namespace {

/// "conv" of "/layer1/0/conv": names are long, their last part tells nodes of one scope apart.
QString lastPart(const std::string& name)
{
    const auto slash = name.find_last_of('/');
    return toQt(slash == std::string::npos || slash + 1 == name.size() ? name : name.substr(slash + 1));
}

QString dimsText(const Tensor& tensor)
{
    QStringList dims;
    for (const auto dim : tensor.dims)
        dims += QString::number(dim);
    return QLatin1Char('[') + dims.join(QStringLiteral(", ")) + QLatin1Char(']');
}

bool isTensor(const ScopeRow& row)
{
    return row.kind == ScopeRow::Kind::Parameter || row.kind == ScopeRow::Kind::Constant;
}

QString nodeName(const TreeContent& content, const ScopeRow& row)
{
    const Node& node = content.snapshot->model->node(row.node);
    const QString type = toQt(node.opType);
    const QString name = lastPart(node.name);
    return name.startsWith(type) ? name : QStringLiteral("%1 (%2)").arg(name, type);
}

QString parameterName(const TreeContent& content, const ScopeRow& row)
{
    const std::string_view key = content.tensorName(row);
    const auto dot = key.find_last_of('.');
    return toQt(dot == std::string_view::npos ? key : key.substr(dot + 1));
}

QString scopeName(const TreeContent& content, const ScopeRow& row)
{
    const Scope& scope = content.scope(row);
    const auto& path = content.snapshot->model->path;
    QString name = toQt(scope.name);
    if (!scope.parent.valid())
        name = path.empty() ? QStringLiteral("(model)") : pathText(path.stem());
    if (content.kind == TreeKind::Storage && scope.calls > 1)
        name += QStringLiteral(" ×%1").arg(scope.calls);
    return name;
}

QString nameText(const TreeContent& content, const ScopeRow& row)
{
    QString name = row.kind == ScopeRow::Kind::Node ? nodeName(content, row)
        : row.kind == ScopeRow::Kind::Constant      ? toQt(content.tensorName(row))
        : row.kind == ScopeRow::Kind::Parameter     ? parameterName(content, row)
                                                    : scopeName(content, row);
    name = shownText(name);
    return content.isGuess(row) ? name + QStringLiteral(" ?") : name;
}

QString stateText(const TreeContent& content, const ScopeRow& row)
{
    if (row.kind == ScopeRow::Kind::Node) {
        const Decision* decision = content.decision(row.node);
        return decision ? markedLabel(*decision) : QString();
    }
    if (row.kind == ScopeRow::Kind::Constant)
        return QStringLiteral("constant");
    if (content.facts.neverExecuted[row.scope.index])
        return QStringLiteral("✕ never executed");
    if (row.kind == ScopeRow::Kind::Parameter)
        return content.readers(row).empty() ? QStringLiteral("✕ not read") : QString();
    if (content.scope(row).neverRuns)
        return QStringLiteral("✕ never runs");
    return countsLabel(content.counts[row.scope.index]);
}

QString differsText(const TreeContent& content, const ScopeRow& row)
{
    if (row.kind == ScopeRow::Kind::Node)
        return content.nodeScope(row.node).differs ? QStringLiteral("≠") : QString();
    const bool isScope = row.kind == ScopeRow::Kind::Scope;
    const std::int64_t differing = isScope ? content.facts.differing[row.scope.index] : 0;
    return differing > 0 ? QStringLiteral("≠ ") + countText(differing) : QString();
}

QString nodesCell(const TreeContent& content, const ScopeRow& row)
{
    switch (row.kind) {
    case ScopeRow::Kind::Scope:
        return countText(content.scope(row).totalNodes);
    case ScopeRow::Kind::Parameter:
    case ScopeRow::Kind::Constant:
        return countText(static_cast<std::int64_t>(content.readers(row).size()));
    case ScopeRow::Kind::Node:
        break;
    }
    return {};
}

/// Parameters or bytes: a scope's total, or one tensor's own.
QString sizeCell(const TreeContent& content, const ScopeRow& row, ScopeColumn column)
{
    const auto text = [column](std::int64_t elements, std::int64_t bytes) {
        if (elements == 0 && bytes == 0)
            return QString();
        return column == ScopeColumn::Parameters ? countText(elements) : bytesText(bytes);
    };
    if (row.kind == ScopeRow::Kind::Scope)
        return text(content.scope(row).totalParameters, content.scope(row).totalBytes);
    const Tensor* tensor = isTensor(row) ? content.tensor(row) : nullptr;
    return tensor ? text(tensor->elements(), storedBytes(*tensor)) : QString();
}

QString scopeToolTip(const TreeContent& content, const ScopeRow& row)
{
    const Scope& scope = content.scope(row);
    QStringList lines = {scopeLabel(scope.path)};
    if (!scope.className.empty())
        lines += QStringLiteral("class %1").arg(toQt(scope.className));
    if (scope.neverRuns)
        lines += neverRunsText();
    if (scope.sameAs.valid())
        lines += QStringLiteral("the same module as %1").arg(scopeLabel(content.tree().scope(scope.sameAs).path));
    if (content.facts.differing[row.scope.index] > 0)
        lines += QStringLiteral("%1 here run and live in different scopes")
                     .arg(nodesText(content.facts.differing[row.scope.index]));
    if (content.facts.neverExecuted[row.scope.index])
        lines += QStringLiteral("Never executed: it holds parameters, and no node reads any of them.");
    else if (content.facts.neverBelow[row.scope.index] > 0)
        lines += QStringLiteral("%1 below never run").arg(countText(content.facts.neverBelow[row.scope.index]));
    if (content.isGuess(row))
        lines += QStringLiteral("A guess: nothing in the file says so.");
    return lines.join(QLatin1Char('\n'));
}

QString nodeToolTip(const TreeContent& content, const ScopeRow& row)
{
    const NodeScope& facts = content.nodeScope(row.node);
    QStringList lines = {toQt(content.snapshot->model->node(row.node).name)};
    if (const Decision* decision = content.decision(row.node)) {
        const std::string why = whyText(*content.snapshot->model, *content.snapshot->placement, row.node);
        if (!why.empty())
            lines += stateLabel(*decision) + QStringLiteral(": ") + toQt(why);
    }
    if (content.scope(row).neverRuns)
        lines += neverRunsText();
    if (facts.differs)
        lines += differenceSentence(facts);
    if (content.isGuess(row))
        lines += content.kind == TreeKind::Execution
            ? QStringLiteral("That it runs here is a guess: nothing in the file says so.")
            : QStringLiteral("That it reads parameters of this module is a guess: nothing in the file says so.");
    return lines.join(QLatin1Char('\n'));
}

} // namespace

QString cellText(const TreeContent& content, const ScopeRow& row, ScopeColumn column)
{
    switch (column) {
    case ScopeColumn::Name:
        return nameText(content, row);
    case ScopeColumn::Differs:
        return differsText(content, row);
    case ScopeColumn::State:
        return stateText(content, row);
    case ScopeColumn::Nodes:
        return nodesCell(content, row);
    case ScopeColumn::Parameters:
    case ScopeColumn::Bytes:
        return sizeCell(content, row, column);
    }
    return {};
}

QString quietText(const TreeContent& content, const ScopeRow& row)
{
    if (row.kind == ScopeRow::Kind::Node)
        return {};
    if (isTensor(row)) {
        const Tensor* tensor = content.tensor(row);
        return tensor ? dimsText(*tensor) : QString();
    }
    const Scope& scope = content.scope(row);
    const QString name = shownText(toQt(scope.className));
    if (!scope.sameAs.valid())
        return name;
    const QString same = QStringLiteral("= %1").arg(shownText(toQt(content.tree().scope(scope.sameAs).path)));
    return name.isEmpty() ? same : name + QLatin1Char(' ') + same;
}

QString rowToolTip(const TreeContent& content, const ScopeRow& row)
{
    switch (row.kind) {
    case ScopeRow::Kind::Scope:
        return scopeToolTip(content, row);
    case ScopeRow::Kind::Node:
        return nodeToolTip(content, row);
    case ScopeRow::Kind::Parameter:
    case ScopeRow::Kind::Constant:
        break;
    }
    const auto readers = static_cast<std::int64_t>(content.readers(row).size());
    const QString key = toQt(content.tensorName(row));
    return readers == 0 ? key + QStringLiteral("\nNo node reads it.")
                        : QStringLiteral("%1\nread by %2").arg(key, nodesText(readers));
}

} // namespace duo::ui
