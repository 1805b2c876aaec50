// SPDX-License-Identifier: Apache-2.0
#include "views/properties/scope_sections.h"

#include "core/report/execution_doubt.h"
#include "core/report/reason_sentences.h"
#include "views/properties/properties_link.h"
#include "views/style/format.h"
#include "views/style/scope_text.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <map>

namespace duo::ui {
namespace {

constexpr std::size_t kKeys = 12; // parameters listed of one node
constexpr std::size_t kExamples = 4; // nodes named for one reason
constexpr std::size_t kNever = 12; // modules listed
constexpr int kEvidence = 8; // links below one reason
constexpr int kRecord = 160; // characters of what an exporter recorded

QString sentence(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return toQt(text) + QLatin1Char('.');
}

QString more(std::size_t all, std::size_t shown)
{
    return QStringLiteral("… %1 more").arg(countText(static_cast<std::int64_t>(all - shown)));
}

QString elided(const QString& text)
{
    return text.size() <= kRecord ? text : text.left(kRecord) + QStringLiteral("…");
}

void addOwners(Page& page, const NodeScope& facts)
{
    if (facts.storage.empty()) {
        page.row(QStringLiteral("Parameters of"), QStringLiteral("none: it reads no parameters"));
        return;
    }
    QStringList links;
    for (std::size_t i = 0; i < facts.storage.size(); ++i)
        links += Page::link(scopeLink(TreeKind::Storage, facts.storageScopes[i]), scopeLabel(facts.storage[i]));
    page.rowHtml(QStringLiteral("Parameters of"),
        links.join(QStringLiteral(", ")) + QLatin1Char(' ') + page.chip(facts.storageFrom));
    for (std::size_t i = 0; i < facts.keys.size() && i < kKeys; ++i)
        page.row(QStringLiteral("Reads"), toQt(facts.keys[i]));
    if (facts.keys.size() > kKeys)
        page.quiet(more(facts.keys.size(), kKeys));
}

/// What shows a reason, as far as its sentence cannot be clicked: nodes, calls and modules as links, then findings and
/// what the exporter recorded.
void addEvidence(Page& page, const Snapshot& snapshot, const ReasonEvidence& evidence)
{
    const Scopes& scopes = *snapshot.scopes;
    QStringList links;
    for (const NodeId node : evidence.nodes)
        links += Page::link(nodeLink(node), toQt(snapshot.model->node(node).name));
    for (const ScopeId call : evidence.calls)
        links += Page::link(scopeLink(TreeKind::Execution, call), scopeLabel(scopes.execution.scope(call).path));
    for (const std::string& module : evidence.modules) {
        if (const ScopeId stored = scopes.storage.find(module); stored.valid())
            links += Page::link(scopeLink(TreeKind::Storage, stored), scopeLabel(module));
    }
    if (links.size() > kEvidence)
        links = links.mid(0, kEvidence) << more(static_cast<std::size_t>(links.size()), kEvidence);
    if (!links.isEmpty())
        page.lineHtml(
            QStringLiteral("→ ") + links.join(QStringLiteral(", ")) + QLatin1Char(' ') + page.chip(evidence.from));
    for (const std::string& finding : evidence.findings)
        page.quiet(toQt(finding));
    for (const auto& [name, value] : evidence.recorded)
        page.quiet(toQt(name + ": ") + elided(toQt(value).simplified()));
}

/// The nodes of one reason: how many, and the first few.
struct ReasonGroup {
    std::vector<NodeId> first;
    std::size_t count = 0;
};

void addGroup(Page& page, const Snapshot& snapshot, Reason reason, const ReasonGroup& group)
{
    page.lineHtml(QStringLiteral("<b>%1</b> %2: %3")
                      .arg(Page::link(reasonLink(reason), nodesText(static_cast<std::int64_t>(group.count))),
                          toQt(reasonText(reason)), reasonSentence(reason).toHtmlEscaped()));
    QStringList links;
    for (const NodeId node : group.first)
        links += Page::link(nodeLink(node), toQt(snapshot.model->node(node).name));
    if (group.count > group.first.size())
        links += more(group.count, group.first.size());
    page.lineHtml(links.join(QStringLiteral(", ")));
}

} // namespace

void addNodeScopes(Page& page, const Snapshot& snapshot, NodeId node)
{
    const NodeScope& facts = snapshot.scopes->nodes[node.index];
    page.section(QStringLiteral("Scopes"));
    page.rowHtml(QStringLiteral("Runs in"),
        Page::link(scopeLink(TreeKind::Execution, facts.executionScope), scopeLabel(facts.execution)) + QLatin1Char(' ')
            + page.chip(facts.executionFrom));
    if (!facts.longForm.empty() && facts.longForm != facts.execution)
        page.row(QStringLiteral("With classes"), toQt(facts.longForm));
    if (snapshot.scopes->execution.scope(facts.executionScope).neverRuns)
        page.colored(QStringLiteral("✕ ") + neverRunsText(), page.theme().warning.ink);
    if (const std::string doubt = executionDoubt(*snapshot.model, *snapshot.scopes, node); !doubt.empty())
        page.line(sentence(doubt));
    addOwners(page, facts);
    if (facts.differs)
        page.colored(QStringLiteral("≠ Runs and lives in different scopes"), page.theme().warning.ink);
    for (const ReasonEvidence& evidence :
        explainDifference(*snapshot.model, *snapshot.scopes, node, snapshot.sources())) {
        page.row(toQt(reasonText(evidence.reason)),
            sentence(reasonSentence(*snapshot.model, *snapshot.scopes, node, evidence)));
        addEvidence(page, snapshot, evidence);
    }
}

void addScopeFacts(Page& page, const Snapshot& snapshot, const ScopeRef& ref)
{
    const Scope& scope = treeOf(*snapshot.scopes, ref.tree).scope(ref.scope);
    const bool isExecution = ref.tree == TreeKind::Execution;
    page.title(scopeLabel(scope.path),
        (isExecution ? QStringLiteral("Execution scope") : QStringLiteral("Storage scope"))
            + (scope.isBody ? QStringLiteral(", body of a control-flow node") : QString())
            + (scope.className.empty() ? QString() : QStringLiteral(", class ") + toQt(scope.className)));
    if (scope.neverRuns)
        page.colored(QStringLiteral("✕ ") + neverRunsText(), page.theme().warning.ink);
    if (scope.sameAs.valid())
        page.rowHtml(QStringLiteral("Same module as"),
            Page::link(scopeLink(ref.tree, scope.sameAs),
                scopeLabel(treeOf(*snapshot.scopes, ref.tree).scope(scope.sameAs).path)));
    page.row(QStringLiteral("Nodes"), countText(scope.totalNodes));
    page.row(QStringLiteral("Parameters"), countText(scope.totalParameters));
    page.row(QStringLiteral("Size"), bytesText(scope.totalBytes));
    if (!isExecution)
        page.row(QStringLiteral("Calls"), countText(scope.calls));
}

void addProvenance(Page& page, const Snapshot& snapshot, const std::vector<NodeId>& nodes)
{
    std::array<std::int64_t, static_cast<std::size_t>(Provenance::Guess) + 1> runs{};
    auto lives = runs;
    for (const NodeId node : nodes) {
        const NodeScope& facts = snapshot.scopes->nodes[node.index];
        ++runs[static_cast<std::size_t>(facts.executionFrom)];
        if (!facts.storage.empty())
            ++lives[static_cast<std::size_t>(facts.storageFrom)];
    }
    const auto chips = [&page](const auto& counts) {
        QStringList parts;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] > 0)
                parts += page.chip(static_cast<Provenance>(i)) + QLatin1Char(' ') + countText(counts[i]);
        }
        return parts.join(QStringLiteral(", "));
    };
    if (nodes.empty())
        return;
    page.section(QStringLiteral("How it is known"));
    page.rowHtml(QStringLiteral("Where nodes run"), chips(runs));
    if (const QString owners = chips(lives); !owners.isEmpty())
        page.rowHtml(QStringLiteral("Whose parameters"), owners);
}

void addDifferences(Page& page, const Snapshot& snapshot, const std::vector<NodeId>& nodes)
{
    std::map<Reason, ReasonGroup> groups;
    std::int64_t differing = 0;
    for (const NodeId node : nodes) {
        const NodeScope& facts = snapshot.scopes->nodes[node.index];
        if (!facts.differs)
            continue;
        ++differing;
        for (const Reason reason : facts.reasons) {
            ReasonGroup& group = groups[reason];
            if (group.count++ < kExamples)
                group.first.push_back(node);
        }
    }
    if (differing == 0)
        return;
    page.colored(
        QStringLiteral("≠ %1 run and live in different scopes").arg(nodesText(differing)), page.theme().warning.ink);
    std::vector<std::pair<Reason, ReasonGroup>> sorted(groups.begin(), groups.end());
    std::stable_sort(
        sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
    for (const auto& [reason, group] : sorted)
        addGroup(page, snapshot, reason, group);
}

void addCheckpoint(Page& page, const Snapshot& snapshot)
{
    if (!snapshot.checkpoint)
        return;
    page.section(QStringLiteral("Checkpoint"));
    page.row(QStringLiteral("File"),
        QStringLiteral("%1 (%2)").arg(
            pathText(snapshot.checkpoint->path.filename()), toQt(snapshot.checkpoint->format)));
    std::int64_t found = 0;
    QStringList parts;
    for (const auto& [how, count] : snapshot.scopes->matchedBy) {
        found += count;
        for (int i = 0; i <= static_cast<int>(Provenance::Guess); ++i) {
            if (count > 0 && provenanceText(static_cast<Provenance>(i)) == how)
                parts += page.chip(static_cast<Provenance>(i)) + QLatin1Char(' ') + countText(count);
        }
    }
    page.rowHtml(QStringLiteral("Keys"),
        QStringLiteral("%1 of %2 found in the model: %3")
            .arg(countText(found), countText(snapshot.scopes->keys), parts.join(QStringLiteral(", "))));
}

void addNeverExecuted(Page& page, const Scopes& scopes)
{
    if (scopes.neverExecuted.empty())
        return;
    page.section(QStringLiteral("✕ Never executed"));
    QStringList links;
    for (std::size_t i = 0; i < scopes.neverExecuted.size() && i < kNever; ++i) {
        const std::string& path = scopes.neverExecuted[i];
        const ScopeId scope = scopes.storage.find(path);
        links += scope.valid() ? Page::link(scopeLink(TreeKind::Storage, scope), scopeLabel(path))
                               : Page::breakable(toQt(path));
    }
    if (scopes.neverExecuted.size() > kNever)
        links += more(scopes.neverExecuted.size(), kNever);
    page.lineHtml(links.join(QStringLiteral(", ")));
}

} // namespace duo::ui
