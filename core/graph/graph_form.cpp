// SPDX-License-Identifier: Apache-2.0
#include "core/graph/graph_form.h"

#include "core/analysis/kernel_origins.h"
#include "core/graph/view_builder.h"
#include "core/support/enum_text.h"
#include "core/support/phrases.h"

namespace duo {
namespace {

constexpr auto kFormTexts = enumTexts<GraphForm::AsRun>({"original", "compressed", "run"});

/// "int8", "float, 4 nodes"
std::string kernelLine(const RunGraph& run, NodeId kernel)
{
    std::string text(kernelPrecisionText(run.precision[kernel.index]));
    const std::size_t nodes = run.origins[kernel.index].size();
    return nodes > 1 ? text + ", " + nodesText(nodes) : text;
}

/// What becomes of the nodes of an opened model is said of those that do not just stay.
void nameFatesInPlace(ViewGraph& view, const RunGraph& run)
{
    for (ViewBox& box : view.boxes) {
        if (box.kind == ViewBox::Kind::Node && run.fates[box.node.index] != "stays")
            box.kernel = run.fates[box.node.index];
    }
}

void nameKernelsInPlace(ViewGraph& view, const RunGraph& run, const Model& model)
{
    for (ViewBox& box : view.boxes) {
        const bool isStack = box.kind == ViewBox::Kind::Scope || box.kind == ViewBox::Kind::Group;
        if (const std::string::size_type nodes = box.subtitle.rfind(" node"); isStack && nodes != std::string::npos)
            box.subtitle.replace(nodes, 5, " kernel"); // "Encoder, 14 nodes"
        if (box.kind != ViewBox::Kind::Node)
            continue;
        if (const NodeId leader = leadingNode(model, run.origins[box.node.index]); leader.valid())
            box.subtitle = model.node(leader).name;
        box.kernel = kernelLine(run, box.node);
    }
}

Overlay kernelPrecisions(const RunGraph& run)
{
    Overlay overlay;
    overlay.kind = OverlayKind::Precision;
    overlay.unit = OverlayUnit::Category;
    overlay.about = "What each kernel computes on, as it is run.";
    for (const KernelPrecision precision : {KernelPrecision::Float, KernelPrecision::Int8, KernelPrecision::Quantizer})
        overlay.categories.emplace_back(kernelPrecisionText(precision));
    overlay.ofNode.resize(run.precision.size());
    for (std::size_t k = 0; k < run.precision.size(); ++k) {
        if (isDrawn(*run.kernels, NodeId(k)))
            overlay.ofNode[k] = static_cast<double>(run.precision[k]);
    }
    rollUpInPlace(overlay, *run.scopes);
    return overlay;
}

ViewGraph named(ViewGraph view, const DrawnGraph& graph)
{
    if (graph.run != nullptr && graph.run->isOpened())
        nameFatesInPlace(view, *graph.run);
    else if (graph.run != nullptr)
        nameKernelsInPlace(view, *graph.run, graph.original);
    return view;
}

} // namespace

std::string_view graphFormText(GraphForm form)
{
    return enumText(kFormTexts, form);
}

std::optional<GraphForm> graphFormFrom(std::string_view text)
{
    return enumFromText<GraphForm>(kFormTexts, text);
}

DrawnGraph drawnGraph(
    GraphForm form, const Model& model, const Scopes& scopes, const Placement* placement, const RunGraph* run)
{
    if (run != nullptr && form != GraphForm::Compressed)
        return {*run->kernels, *run->scopes, run->isOpened() ? nullptr : &run->placement, run, model};
    return {model, scopes, form == GraphForm::Original ? nullptr : placement, nullptr, model};
}

ViewGraph drawnView(const DrawnGraph& graph, const Containment& containment, const std::set<std::string>& open)
{
    return named(buildView(graph.model, graph.scopes, graph.placement, containment, open), graph);
}

bool isOfWhatIsRun(OverlayKind kind, const RunGraph& run)
{
    switch (kind) {
    case OverlayKind::Decision:
    case OverlayKind::Precision:
    case OverlayKind::Parameters:
        return true;
    case OverlayKind::Bytes:
    case OverlayKind::Range:
    case OverlayKind::Time:
        return !run.isOfExport;
    case OverlayKind::Error:
    case OverlayKind::Sensitivity:
    case OverlayKind::Half:
    case OverlayKind::Difference:
        break;
    }
    return false;
}

std::optional<Overlay> overlayOfKernels(const Overlay& overlay, const RunGraph& run)
{
    if (!run.isOpened() && !isOfWhatIsRun(overlay.kind, run))
        return std::nullopt;
    if (!run.isOpened() && (overlay.kind == OverlayKind::Decision || overlay.kind == OverlayKind::Precision))
        return kernelPrecisions(run);
    Overlay result = overlay;
    result.whyOfNode.clear();
    result.ofNode.assign(run.origins.size(), std::nullopt);
    for (std::size_t k = 0; k < run.origins.size(); ++k) {
        std::vector<NodeId> nodes = run.origins[k];
        if (overlay.isSummed()) // a node counts once
            std::erase_if(nodes, [&](NodeId node) { return run.kernelsOf[node.index].front() != NodeId(k); });
        result.ofNode[k] = overlay.of(nodes);
    }
    return result;
}

ViewGraph drawnInside(const DrawnGraph& graph, const Containment& containment, std::uint32_t container)
{
    return named(buildInside(graph.model, graph.scopes, graph.placement, containment, container), graph);
}

} // namespace duo
