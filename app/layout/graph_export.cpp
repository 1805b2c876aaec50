// SPDX-License-Identifier: Apache-2.0
#include "app/layout/graph_export.h"

#include "core/graph/nncf_dot.h"
#include "core/graph/quantizer_boxes.h"
#include "core/graph/view_dot.h"
#include "core/support/file.h"

#include <utility>

namespace duo {
namespace {

constexpr double kPageAspect = 1.414; // of a sheet of paper on its side

Status writeBytes(const std::filesystem::path& target, const std::string& bytes)
{
    return writeFileAtomically(target, [&](std::ostream& out) {
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return success();
    });
}

Result<ExportedGraph> exportDot(const GraphExport& graph, const std::filesystem::path& target)
{
    const CompressedGraph compressed
        = compressedGraph(*graph.model, graph.placement ? graph.placement->setup : QuantizerSetup{});
    const std::string text = nncfDot(*graph.model, compressed);
    DUO_CHECK(writeBytes(target, text));
    return ExportedGraph{target, static_cast<std::int64_t>(text.size()),
        static_cast<std::int64_t>(compressed.nodes.size()), static_cast<std::int64_t>(compressed.edges.size()), {}};
}

Result<ExportedGraph> exportPicture(const GraphExport& graph, LayoutClient& client, const std::string& format,
    const std::filesystem::path& target, const JobContext& job)
{
    const auto open = graph.open ? *graph.open : openScopesWithin(*graph.model, *graph.scopes, kMostDrawnBoxes);
    ViewGraph view = buildViewGraph(*graph.model, *graph.scopes, graph.placement, open);
    if (graph.quantizerBoxes)
        view = withQuantizerBoxes(std::move(view));
    LayoutComposer composer([&](const LayoutInput& input) { return client.layout(input, job.stop); });
    DUO_TRY(shape, composer.shapeFor(view, drawingSize, kPageAspect, job));
    DUO_TRY(picture, composer.compose(view, drawingSize, job, shape));
    DUO_TRY(bytes, client.draw(viewDot(view, picture), format, job.stop));
    DUO_CHECK(writeBytes(target, bytes));
    return ExportedGraph{target, static_cast<std::int64_t>(bytes.size()), static_cast<std::int64_t>(view.boxes.size()),
        static_cast<std::int64_t>(view.edges.size()), picture.engine};
}

} // namespace

Result<ExportedGraph> exportGraph(
    const GraphExport& graph, LayoutClient& client, const std::filesystem::path& target, const JobContext& job)
{
    const std::string extension = target.extension().string();
    if (extension == ".dot")
        return exportDot(graph, target);
    if (extension == ".svg" || extension == ".png" || extension == ".pdf")
        return exportPicture(graph, client, extension.substr(1), target, job);
    return Error{ErrorCode::Usage, "a graph cannot be written as '" + extension + "'", target.string(),
        "end the name in .dot, .svg, .png or .pdf"};
}

} // namespace duo
