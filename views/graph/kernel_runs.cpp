// SPDX-License-Identifier: Apache-2.0
#include "views/graph/kernel_runs.h"

#include "views/style/format.h"
#include "views/style/tr.h"

#include <QStringList>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kMostFallen = 5; // named in a tool tip

KernelRun runOf(const NodeRun& run)
{
    if (run.runs == RunsAs::Int8)
        return {true, QStringLiteral("int8"), tr("Runs in int8 (%1)").arg(toQt(run.kernel))};
    const QString how = run.runs == RunsAs::Float ? tr("Fell back to float (%1)").arg(toQt(run.kernel))
                                                  : tr("Not found in the optimized graph");
    return {false, QStringLiteral("! ") + toQt(runsAsText(run.runs)),
        run.reason.empty() ? how : how + QStringLiteral(": ") + toQt(run.reason)};
}

std::vector<NodeId> nodesOf(const Picture& picture, int box)
{
    const ViewBox& shown = picture.graph.boxes[static_cast<std::size_t>(box)];
    const bool hasNodes = !shown.open
        && (shown.kind == ViewBox::Kind::Node || shown.kind == ViewBox::Kind::Scope
            || shown.kind == ViewBox::Kind::Group);
    return hasNodes ? picture.selectionOf(box).nodes : std::vector<NodeId>();
}

} // namespace

KernelRuns kernelRuns(const NodeRuns& known, const Snapshot& snapshot)
{
    KernelRuns runs;
    for (const NodeRun& run : known) {
        if (const NodeId node = snapshot.model->findNode(run.node); node.valid())
            runs.ofNode[node] = runOf(run);
    }
    return runs;
}

std::vector<RunBadge> runBadges(const KernelRuns& runs, const Picture& picture)
{
    std::vector<RunBadge> badges(picture.graph.boxes.size());
    for (std::size_t i = 0; i < badges.size() && !runs.ofNode.empty(); ++i) {
        int planned = 0;
        int int8 = 0;
        QString own;
        for (const NodeId node : nodesOf(picture, static_cast<int>(i))) {
            const auto run = runs.ofNode.find(node);
            planned += run != runs.ofNode.end() ? 1 : 0;
            int8 += run != runs.ofNode.end() && run->second.isInt8 ? 1 : 0;
            if (run != runs.ofNode.end())
                own = run->second.badge;
        }
        if (planned == 0)
            continue;
        badges[i].isWhole = int8 == planned;
        if (picture.graph.boxes[i].kind == ViewBox::Kind::Node)
            badges[i].text = own;
        else
            badges[i].text = badges[i].isWhole ? QStringLiteral("%1 int8").arg(int8)
                                               : QStringLiteral("! %1/%2 int8").arg(int8).arg(planned);
    }
    return badges;
}

QString runText(const KernelRuns& runs, const Picture& picture, int box)
{
    const bool isNode = picture.graph.boxes[static_cast<std::size_t>(box)].kind == ViewBox::Kind::Node;
    QStringList fallen;
    int planned = 0;
    for (const NodeId node : nodesOf(picture, box)) {
        const auto run = runs.ofNode.find(node);
        if (run == runs.ofNode.end())
            continue;
        if (isNode)
            return run->second.text;
        ++planned;
        if (!run->second.isInt8)
            fallen += toQt(picture.snapshot->model->node(node).name) + QStringLiteral(": ") + run->second.text;
    }
    if (planned == 0)
        return {};
    QString text = tr("%1 of %2 planned run in int8").arg(planned - fallen.size()).arg(planned);
    for (int i = 0; i < std::min<int>(kMostFallen, static_cast<int>(fallen.size())); ++i)
        text += QLatin1Char('\n') + fallen[i];
    if (fallen.size() > kMostFallen)
        text += QLatin1Char('\n') + tr("… %1 more").arg(fallen.size() - kMostFallen);
    return text;
}

} // namespace duo::ui
