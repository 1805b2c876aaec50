// SPDX-License-Identifier: Apache-2.0
#include "views/graph/runs/kernel_runs.h"

#include "views/style/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kMostFallen = 5; // named in a tool tip

QString tr(const char* text)
{
    return QCoreApplication::translate("KernelRuns", text);
}

bool isPromised(const Node& node, const Decision& decision)
{
    return decision.state == NodeState::Quantized && node.domain.empty()
        && (node.opType == "Conv" || node.opType == "Gemm" || node.opType == "MatMul");
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

KernelRuns kernelRuns(const ExportReport& report, const Snapshot& snapshot)
{
    KernelRuns runs;
    const auto check = std::find_if(
        report.checks.begin(), report.checks.end(), [](const Check& made) { return made.id == "int8-kernels"; });
    if (check == report.checks.end() || !snapshot.placement)
        return runs;
    for (const NodeId node : snapshot.model->mainGraph().nodes) {
        if (isPromised(snapshot.model->node(node), snapshot.placement->decisions[node.index]))
            runs.ofNode[node] = {true, tr("Runs in int8")};
    }
    for (const std::string& name : check->nodes) {
        if (const NodeId node = snapshot.model->findNode(name); node.valid())
            runs.ofNode[node] = {false, tr("Fell back to float")};
    }
    return runs;
}

std::vector<RunBadge> runBadges(const KernelRuns& runs, const Picture& picture)
{
    std::vector<RunBadge> badges(picture.graph.boxes.size());
    for (std::size_t i = 0; i < badges.size() && !runs.ofNode.empty(); ++i) {
        int planned = 0;
        int int8 = 0;
        for (const NodeId node : nodesOf(picture, static_cast<int>(i))) {
            const auto run = runs.ofNode.find(node);
            planned += run != runs.ofNode.end() ? 1 : 0;
            int8 += run != runs.ofNode.end() && run->second.isInt8 ? 1 : 0;
        }
        if (planned == 0)
            continue;
        badges[i].isWhole = int8 == planned;
        if (picture.graph.boxes[i].kind == ViewBox::Kind::Node)
            badges[i].text = int8 == 1 ? QStringLiteral("int8") : QStringLiteral("! float");
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
