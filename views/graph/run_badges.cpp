// SPDX-License-Identifier: Apache-2.0
#include "views/graph/run_badges.h"

#include "views/style/format.h"
#include "views/style/tr.h"

#include <QStringList>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kMostFallen = 5; // named in a tool tip

QString badgeOf(const NodeRun& run)
{
    return run.runs == RunsAs::Int8 ? QStringLiteral("int8") : QStringLiteral("! ") + toQt(runsAsText(run.runs));
}

/// One sentence: the kernel, or why it fell back to float.
QString sentenceOf(const NodeRun& run)
{
    if (run.runs == RunsAs::Int8)
        return tr("Runs in int8 (%1)").arg(toQt(run.kernel));
    const QString how = run.runs == RunsAs::Float ? tr("Fell back to float (%1)").arg(toQt(run.kernel))
                                                  : tr("Not found in the optimized graph");
    return run.reason.empty() ? how : how + QStringLiteral(": ") + toQt(run.reason);
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

std::vector<RunBadge> runBadges(const RunsOfNodes& runs, const Picture& picture)
{
    std::vector<RunBadge> badges(picture.graph.boxes.size());
    for (std::size_t i = 0; i < badges.size() && !runs.isEmpty(); ++i) {
        int planned = 0;
        int int8 = 0;
        const NodeRun* last = nullptr;
        for (const NodeId node : nodesOf(picture, static_cast<int>(i))) {
            const NodeRun* run = runs.of(node);
            if (run == nullptr)
                continue;
            last = run;
            ++planned;
            int8 += run->runs == RunsAs::Int8 ? 1 : 0;
        }
        if (planned == 0)
            continue;
        badges[i].isWhole = int8 == planned;
        if (picture.graph.boxes[i].kind == ViewBox::Kind::Node)
            badges[i].text = badgeOf(*last);
        else
            badges[i].text = badges[i].isWhole ? QStringLiteral("%1 int8").arg(int8)
                                               : QStringLiteral("! %1/%2 int8").arg(int8).arg(planned);
    }
    return badges;
}

QString runText(const RunsOfNodes& runs, const Picture& picture, int box)
{
    const bool isNode = picture.graph.boxes[static_cast<std::size_t>(box)].kind == ViewBox::Kind::Node;
    QStringList fallen;
    int planned = 0;
    for (const NodeId node : nodesOf(picture, box)) {
        const NodeRun* run = runs.of(node);
        if (run == nullptr)
            continue;
        if (isNode)
            return sentenceOf(*run);
        ++planned;
        if (run->runs != RunsAs::Int8)
            fallen += toQt(picture.snapshot->model->node(node).name) + QStringLiteral(": ") + sentenceOf(*run);
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
