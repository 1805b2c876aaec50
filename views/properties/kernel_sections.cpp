// SPDX-License-Identifier: Apache-2.0
#include "views/properties/kernel_sections.h"

#include "core/graph/containment.h"
#include "core/graph/float_doubt.h"
#include "views/properties/properties_link.h"
#include "views/style/format.h"

#include <QStringList>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr std::size_t kMostKernels = 8; // told one by one
constexpr std::size_t kMostNodes = 12; // named of each

/// "fused from 3 nodes: conv, add, relu", each with a link, and all together with one; "one of the model's nodes: key".
QString originHtml(const Snapshot& snapshot, const RunGraph& run, NodeId kernel)
{
    const std::vector<NodeId>& nodes = run.origins[kernel.index];
    const QString text = toQt(originText(run, kernel)).toHtmlEscaped();
    if (nodes.empty())
        return text;
    QStringList names;
    for (std::size_t i = 0; i < std::min(nodes.size(), kMostNodes); ++i)
        names += Page::link(nodeLink(nodes[i]), toQt(snapshot.model->node(nodes[i]).name));
    if (nodes.size() > kMostNodes)
        names += QStringLiteral("… %1 more").arg(nodes.size() - kMostNodes);
    return (nodes.size() > 1 ? Page::link(kernelLink(kernel), toQt(originText(run, kernel))) : text)
        + QStringLiteral(": ") + names.join(QStringLiteral(", "));
}

/// "; quantized in the plan, but codes are made of what it gives"
QString doubtText(const Snapshot& snapshot, const RunGraph& run, NodeId kernel)
{
    const std::string doubt = snapshot.placement ? floatDoubt(run, *snapshot.placement, kernel) : std::string();
    return doubt.empty() ? QString() : QStringLiteral("; quantized in the plan, but ") + toQt(doubt);
}

} // namespace

void addKernels(Page& page, const Snapshot& snapshot, const RunGraph& run, const std::vector<NodeId>& nodes)
{
    const std::vector<NodeId> kernels = run.kernelsFrom(nodes);
    const auto absent = static_cast<std::int64_t>(std::ranges::count_if(
        nodes, [&](NodeId node) { return isDrawn(*snapshot.model, node) && run.kernelsOf[node.index].empty(); }));
    page.section(QStringLiteral("As run, of %1").arg(toQt(run.of)));
    for (std::size_t i = 0; i < std::min(kernels.size(), kMostKernels); ++i) {
        const Node& kernel = run.kernels->node(kernels[i]);
        page.lineHtml(
            QStringLiteral("<b>%1</b>, %2, %3%4")
                .arg(toQt(kernel.opType).toHtmlEscaped(), toQt(kernelPrecisionText(run.precision[kernels[i].index])),
                    originHtml(snapshot, run, kernels[i]), doubtText(snapshot, run, kernels[i]).toHtmlEscaped()));
    }
    if (kernels.size() > kMostKernels)
        page.line(QStringLiteral("… %1 more kernels").arg(kernels.size() - kMostKernels));
    if (absent > 0 && nodes.size() == 1)
        page.quiet(QStringLiteral("In no kernel that is known: computed beforehand, taken out, or made into others."));
    else if (absent > 0)
        page.quiet(QStringLiteral("%1 in no kernel that is known: computed beforehand, taken out, or made into others.")
                       .arg(nodesText(absent)));
}

} // namespace duo::ui
