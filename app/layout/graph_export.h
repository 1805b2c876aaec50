// SPDX-License-Identifier: Apache-2.0
// Graph export: the graph, in one of its forms, as a file; the same file from window and command line.
#pragma once

#include "app/layout/layout_client.h"
#include "core/graph/containment.h"
#include "core/graph/graph_form.h"
#include "core/graph/layout_composer.h"
#include "core/graph/view_dot.h"
#include "core/graph/view_graph.h"
#include "core/support/job.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace duo {

inline constexpr std::size_t kMostDrawnBoxes = 250;
inline constexpr std::size_t kMostPages = 64; // of one drawing

/// Keys of everything that can be open: the whole graph, down to its nodes. O(nodes)
std::set<std::string> allOpen(const Model& model, const Scopes& scopes); // of the form drawn

struct GraphExport {
    const Model* model = nullptr;
    const Scopes* scopes = nullptr;
    const Placement* placement = nullptr; // null: without quantizers
    std::optional<std::set<std::string>> open; // what to draw open; nothing: what kMostDrawnBoxes allow
    bool quantizerBoxes = false; // pictures: quantizers as boxes, not badges; .dot has them as nodes in any case
    GraphForm form = GraphForm::Compressed;
    const RunGraph* run = nullptr; // for GraphForm::AsRun
    const Overlay* overlay = nullptr; // pictures: what boxes are coloured by, with a legend; null: decisions, if any
    double aspect = 0; // pictures: width to height of what they should fill; 0: a page on its side
    std::optional<PictureShape> shape = {}; // pictures: as which they are shown; nothing: what fills that aspect
    BoxSizes sizes = {}; // pictures: with which they are shown; empty: drawingSize
    std::function<DrawnNotes(const ViewGraph& view, const Containment& containment)> notes
        = {}; // pictures; empty: none
};

struct ExportedGraph {
    std::filesystem::path file; // the first one
    std::vector<std::filesystem::path> pages; // all, where it took several
    std::int64_t bytes = 0; // of all
    std::int64_t nodes = 0; // .dot: nodes with quantizers; pictures: boxes
    std::int64_t edges = 0;
    std::string engine; // pictures: "layered", "dot" where its order of boxes was taken, "dot and layered"
};

/// By the extension of `target`: .dot is the whole graph as NNCF writes it; .svg, .png and .pdf are a
/// drawing of its scopes. What is larger than programs open (.png: 8,000 px, .pdf: 14,400 pt) is written in pages that
/// overlap a little: "m.png" as "m-1.png", "m-2.png". An existing file is replaced only when the new one is whole.
/// Progress: "draw", in pages.
/// @return Usage for another extension, and for more than kMostPages; EngineFailed, NotWritable, Cancelled
Result<ExportedGraph> exportGraph(
    const GraphExport& graph, LayoutClient& client, const std::filesystem::path& target, const JobContext& job = {});

} // namespace duo
