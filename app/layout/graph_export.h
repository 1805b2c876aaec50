// SPDX-License-Identifier: Apache-2.0
// Graph export: the compressed graph as a file; the same file from window and command line.
#pragma once

#include "app/layout/layout_client.h"
#include "core/graph/view_graph.h"
#include "core/support/job.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace duo {

inline constexpr std::size_t kMostDrawnBoxes = 250;

struct GraphExport {
    const Model* model = nullptr;
    const Scopes* scopes = nullptr;
    const Placement* placement = nullptr; // null: without quantizers
    std::optional<std::set<std::string>> open; // what to draw open; nothing: what kMostDrawnBoxes allow
    bool quantizerBoxes = false; // pictures: quantizers as boxes, not badges; .dot has them as nodes in any case
};

struct ExportedGraph {
    std::filesystem::path file;
    std::int64_t bytes = 0;
    std::int64_t nodes = 0; // .dot: nodes with quantizers; pictures: boxes
    std::int64_t edges = 0;
    std::string engine; // pictures: "layered", "dot" where its order of boxes was taken, "dot and layered"
};

/// By the extension of `target`: .dot is the whole compressed graph as NNCF writes it; .svg, .png and .pdf are a
/// drawing of its scopes. An existing file is replaced only when the new one is whole.
/// @return Usage for another extension; EngineFailed, NotWritable, Cancelled
Result<ExportedGraph> exportGraph(
    const GraphExport& graph, LayoutClient& client, const std::filesystem::path& target, const JobContext& job = {});

} // namespace duo
