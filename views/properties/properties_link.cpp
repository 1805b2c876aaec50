// SPDX-License-Identifier: Apache-2.0
#include "views/properties/properties_link.h"

#include "core/report/decisions_below.h"

#include <algorithm>

namespace duo::ui {
namespace {

QString link(const char* scheme, std::size_t index)
{
    return QLatin1String(scheme) + QLatin1Char(':') + QString::number(index);
}

Selection differingFor(Reason reason, const Scopes& scopes, const Selection& from)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : nodesOfPage(scopes, from)) {
        const NodeScope& facts = scopes.nodes[node.index];
        if (facts.differs && std::find(facts.reasons.begin(), facts.reasons.end(), reason) != facts.reasons.end())
            nodes.push_back(node);
    }
    return selectNodes(std::move(nodes));
}

} // namespace

QString nodeLink(NodeId node)
{
    return link("node", node.index);
}

QString scopeLink(TreeKind tree, ScopeId scope)
{
    return link(tree == TreeKind::Execution ? "execution" : "storage", scope.index);
}

QString ruleLink(std::size_t rule)
{
    return link("rule", rule);
}

QString kernelLink(NodeId kernel)
{
    return link("kernel", kernel.index);
}

QString decisionLink(std::size_t group)
{
    return link("decision", group);
}

QString reasonLink(Reason reason)
{
    return link("reason", static_cast<std::size_t>(reason));
}

std::optional<Selection> followLink(const QUrl& url, const Scopes& scopes, const Selection& from)
{
    bool isNumber = false;
    const std::size_t index = url.path().toUInt(&isNumber);
    const QString scheme = url.scheme();
    if (!isNumber)
        return std::nullopt;
    if (scheme == QLatin1String("node") && index < scopes.nodes.size())
        return selectNode(NodeId(index));
    if (scheme == QLatin1String("execution") && index < scopes.execution.scopes.size())
        return selectScope(scopes, TreeKind::Execution, ScopeId(index));
    if (scheme == QLatin1String("storage") && index < scopes.storage.scopes.size())
        return selectScope(scopes, TreeKind::Storage, ScopeId(index));
    if (scheme == QLatin1String("reason") && index <= static_cast<std::size_t>(kLastReason))
        return differingFor(static_cast<Reason>(index), scopes, from);
    return std::nullopt;
}

std::optional<std::size_t> numberOf(const QUrl& url, const char* scheme)
{
    bool isNumber = false;
    const std::size_t number = url.path().toUInt(&isNumber);
    return isNumber && url.scheme() == QLatin1String(scheme) ? std::optional(number) : std::nullopt;
}

std::optional<Selection> followDecision(const QUrl& url, const std::vector<DecisionGroup>& groups)
{
    const auto group = numberOf(url, "decision");
    return group && *group < groups.size() ? std::optional(selectNodes(groups[*group].nodes)) : std::nullopt;
}

std::vector<NodeId> nodesOfPage(const Scopes& scopes, const Selection& selection)
{
    if (!selection.nodes.empty() || selection.scope)
        return selection.nodes;
    std::vector<NodeId> all;
    for (std::size_t i = 0; i < scopes.nodes.size(); ++i)
        all.emplace_back(i);
    return all;
}

} // namespace duo::ui
