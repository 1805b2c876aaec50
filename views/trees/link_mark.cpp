// SPDX-License-Identifier: Apache-2.0
#include "views/trees/link_mark.h"

#include "views/style/format.h"

namespace duo::ui {
namespace {

LinkMark executionMark(const TreeContent& content, const ScopeRow& row, bool isOpen)
{
    if (row.kind == ScopeRow::Kind::Node) {
        const auto owners = static_cast<std::int64_t>(content.nodeScope(row.node).storage.size());
        if (owners == 0)
            return {LinkMark::Kind::NoStorage, 0};
        return owners > 1 ? LinkMark{LinkMark::Kind::Several, owners} : LinkMark{};
    }
    const bool hasParameters = content.facts.withParameters[row.scope.index] > 0;
    return isOpen || hasParameters ? LinkMark{} : LinkMark{LinkMark::Kind::NoStorage, 0};
}

LinkMark storageMark(const TreeContent& content, const ScopeRow& row, bool isOpen)
{
    if (row.kind == ScopeRow::Kind::Node || row.kind == ScopeRow::Kind::Constant)
        return {};
    if (row.kind == ScopeRow::Kind::Parameter)
        return content.readers(row).empty() ? LinkMark{LinkMark::Kind::NeverExecuted, 0} : LinkMark{};
    if (content.facts.neverExecuted[row.scope.index])
        return {LinkMark::Kind::NeverExecuted, 0};
    if (const std::int64_t calls = content.scope(row).calls; calls > 1)
        return {LinkMark::Kind::Shared, calls};
    const std::int64_t never = content.facts.neverBelow[row.scope.index];
    return isOpen || never == 0 ? LinkMark{} : LinkMark{LinkMark::Kind::PartlyNeverExecuted, never};
}

} // namespace

LinkMark markOf(const TreeContent& content, const ScopeRow& row, bool isOpen)
{
    return content.kind == TreeKind::Execution ? executionMark(content, row, isOpen)
                                               : storageMark(content, row, isOpen);
}

QString markText(const LinkMark& mark)
{
    switch (mark.kind) {
    case LinkMark::Kind::Several:
        return QStringLiteral("%1:1").arg(countText(mark.count));
    case LinkMark::Kind::Shared:
        return QStringLiteral("1:%1").arg(countText(mark.count));
    case LinkMark::Kind::PartlyNeverExecuted:
        return QStringLiteral("✕ %1").arg(countText(mark.count));
    case LinkMark::Kind::None:
    case LinkMark::Kind::NoStorage:
    case LinkMark::Kind::NeverExecuted:
        break;
    }
    return {};
}

} // namespace duo::ui
