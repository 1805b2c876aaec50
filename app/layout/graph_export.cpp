// SPDX-License-Identifier: Apache-2.0
#include "app/layout/graph_export.h"

#include "core/graph/alike.h"
#include "core/graph/nncf_dot.h"
#include "core/graph/quantizer_boxes.h"
#include "core/report/overlay_values.h"
#include "core/support/file.h"
#include "core/support/staged_files.h"
#include "core/support/text_file.h"

#include <utility>

namespace duo {
namespace {

constexpr double kPageAspect = 1.414; // of a sheet of paper on its side

/// What programs that show such files open: a side of a drawing in px, which a PNG has 4/3 of.
Size mostOf(const std::string& format)
{
    constexpr double kPng = 6000;
    constexpr double kPdf = 14400 - 72; // 200 inches, and a margin
    constexpr double kNoLimit = 1e9;
    const double most = format == "png" ? kPng : format == "pdf" ? kPdf : kNoLimit;
    return {most, most};
}

/// "m.png" -> "m-1.png"
std::filesystem::path pageOf(const std::filesystem::path& target, std::size_t page)
{
    std::filesystem::path file = target;
    return file.replace_filename(target.stem().string() + "-" + std::to_string(page + 1) + target.extension().string());
}

DrawnGraph drawnOf(const GraphExport& graph)
{
    return drawnGraph(graph.form, *graph.model, *graph.scopes, graph.placement, graph.run);
}

Result<ExportedGraph> exportDot(const GraphExport& graph, const std::filesystem::path& target)
{
    const DrawnGraph drawn = drawnOf(graph);
    const CompressedGraph compressed
        = compressedGraph(drawn.model, drawn.placement ? drawn.placement->setup : QuantizerSetup{});
    std::int64_t bytes = 0;
    DUO_CHECK(writeFileAtomically(target, [&](std::ostream& out) {
        writeNncfDot(drawn.model, compressed, [&](std::string_view piece) {
            out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
            bytes += static_cast<std::int64_t>(piece.size());
        });
        return success();
    }));
    return ExportedGraph{target, {}, bytes, static_cast<std::int64_t>(compressed.nodes.size()),
        static_cast<std::int64_t>(compressed.edges.size()), {}};
}

Result<ExportedGraph> exportPicture(const GraphExport& graph, LayoutClient& client, const std::string& format,
    const std::filesystem::path& target, const JobContext& job)
{
    const DrawnGraph drawn = drawnOf(graph);
    const std::size_t most = graph.open ? mostItems(*graph.open) : Containment::kMostItems;
    Containment containment = findContainment(drawn.model, drawn.scopes, most);
    if (graph.open && !foldMarks(*graph.open).empty())
        containment = withFolds(std::move(containment), drawn.scopes, *graph.open);
    ViewGraph view = drawnView(drawn, containment, graph.open ? *graph.open : openWithin(containment, kMostDrawnBoxes));
    if (graph.quantizerBoxes)
        view = withQuantizerBoxes(std::move(view));
    LayoutComposer composer([&](const LayoutInput& input) { return client.layout(input, job.stop); });
    const BoxSizes sizes = graph.sizes ? graph.sizes : drawingSize;
    std::optional<PictureShape> shape = graph.shape;
    if (!shape) {
        DUO_TRY(chosen, composer.shapeFor(view, sizes, graph.aspect > 0 ? graph.aspect : kPageAspect, job));
        shape = chosen;
    }
    DUO_TRY(picture, composer.compose(view, sizes, job, *shape));
    std::optional<Overlay> overlay;
    std::optional<DrawnColours> colours;
    if (graph.overlay)
        overlay = drawn.run ? overlayOfKernels(*graph.overlay, *drawn.run) : std::optional(*graph.overlay);
    else if (drawn.placement && !drawn.run)
        overlay = makeOverlay(OverlayKind::Decision, {drawn.model, drawn.scopes, drawn.placement});
    if (overlay) {
        colours.emplace(DrawnColours{*overlay, overlayOfBoxes(*overlay, view, containment)});
    }
    const DrawnColours* shown = colours ? &*colours : nullptr;
    const DrawnNotes notes = graph.notes ? graph.notes(view, containment) : DrawnNotes();
    const auto parts = drawingParts(drawnSize(picture, shown), mostOf(format));
    if (parts.size() > kMostPages)
        return Error{ErrorCode::Usage, "the drawing would take " + std::to_string(parts.size()) + " pages",
            target.string(), "open fewer scopes, or end the name in .svg or .dot"};
    ExportedGraph written{target, {}, 0, static_cast<std::int64_t>(view.boxes.size()),
        static_cast<std::int64_t>(view.edges.size()), picture.engine};
    DUO_CHECK(checkWritable(target));
    DUO_TRY(staged, StagedFiles::beside(target));
    FileSet files{target.filename().string(), {}, {}};
    for (std::size_t page = 0; page < parts.size(); ++page) {
        job.tell({"draw", static_cast<std::int64_t>(page), static_cast<std::int64_t>(parts.size())});
        const DrawingPart* part = parts.size() == 1 ? nullptr : &parts[page];
        DUO_TRY(bytes, client.draw(viewDot(view, picture, part, shown, notes), format, job.stop));
        const std::filesystem::path file = part ? pageOf(target, page) : target;
        DUO_CHECK(writeTextFile(staged.folder() / file.filename(), bytes));
        written.bytes += static_cast<std::int64_t>(bytes.size());
        if (!part)
            continue;
        files.beside.push_back(file.filename().string());
        written.pages.push_back(file);
    }
    if (job.stopped())
        return cancelledError();
    DUO_CHECK(staged.putInPlace(files));
    if (!written.pages.empty())
        written.file = written.pages.front();
    return written;
}

} // namespace

std::set<std::string> allOpen(const Model& model, const Scopes& scopes)
{
    std::set<std::string> keys;
    for (const Container& container : findContainment(model, scopes).containers)
        keys.insert(container.key);
    return keys;
}

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
