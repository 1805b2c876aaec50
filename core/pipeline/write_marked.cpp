// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/write_marked.h"

#include "core/marks/mark_metadata.h"
#include "core/onnx/reader.h"
#include "core/pipeline/snapshot/read_model_file.h"

namespace duo {
namespace {

/// Nodes that stayed have kept their names.
std::vector<std::pair<NodeId, Metadata>> onNodesOf(
    const Model& file, const Model& opened, std::vector<std::pair<NodeId, Metadata>> entries)
{
    std::vector<std::pair<NodeId, Metadata>> found;
    for (auto& [node, metadata] : entries) {
        if (const NodeId same = file.findNode(opened.node(node).name); same.valid())
            found.emplace_back(same, std::move(metadata));
    }
    return found;
}

} // namespace

Result<WrittenFiles> writeMarked(const Snapshot& snapshot, const ModuleTree& modules, const std::vector<Mark>& marks,
    const Marked& marked, const std::filesystem::path& target, const JobContext& job)
{
    const Model& opened = *snapshot.model;
    DUO_CHECK(checkCanRun(opened));
    const Model& file = modelInFile(opened);
    DUO_CHECK(refuseOverInput(file, target));
    EditList edits = markEdits(opened, modules, marks, marked);
    if (&file != &opened)
        edits.nodeMetadata = onNodesOf(file, opened, std::move(edits.nodeMetadata));
    return writeModel(file, edits, target, job);
}

} // namespace duo
