// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/halved_export.h"

#include "core/model/op_facts.h"
#include "core/onnx/reader.h"
#include "core/pipeline/snapshot/exported_edits.h"
#include "core/report/inspect_report.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace duo {
namespace {

/// That 16 bits were asked for, and what became of it.
Note noteOf(const HalvedNodes& halved, const PassReport& half, const TransformOptions& transforms)
{
    std::string text = counted(halved.nodes.size(), "node computes", "nodes compute") + " in float16, "
        + counted(half.skipped.size(), "node with floats stays", "nodes with floats stay") + " in 32 bits";
    if (half.sqnrDb)
        text += "; of what the same codes give in 32 bits outputs keep " + fixedText(*half.sqnrDb, 1) + " dB";
    if (transforms.halfPorts)
        text += "; inputs and outputs keep their types: `transform --half-ports` on what is exported changes them";
    return {"half-made", std::move(text), {}, Severity::Remark};
}

bool hasBias(const Model& model, NodeId node)
{
    constexpr std::size_t kBias = 2;
    const auto& inputs = model.node(node).inputs;
    return isAnyOf(model.node(node), {"Conv", "ConvTranspose", "Gemm"}) && inputs.size() > kBias
        && inputs[kBias].valid();
}

void addNotes(
    std::vector<Note>& notes, const HalvedNodes& halved, const PassReport& half, const TransformOptions& transforms)
{
    notes.push_back(noteOf(halved, half, transforms));
    for (const TransformedNode& node : half.skipped)
        notes.push_back({"stays-in-32-bits", "stays in 32 bits: " + node.why, node.name, Severity::Remark});
}

/// The quantized model, with what it says of its scopes: rules go by them.
Result<std::shared_ptr<const Model>> quantizedModel(
    const Snapshot& snapshot, const Snapshot& exported, const Compression& compression, const JobContext& job)
{
    DUO_TRY(qdq, exportedEdits(snapshot, compression));
    describeInPlace(qdq, exported, {});
    return convertedModel(exported.model, qdq.edits, {}, job);
}

} // namespace

Result<Compression> withHalvedNodes(
    const Snapshot& snapshot, Compression compression, const Dataset* dataset, int threads, const JobContext& job)
{
    if (!isHalvedInExport(snapshot) || !isNew(compression))
        return compression;
    if (dataset == nullptr) {
        if (!compression.halved)
            compression.notes.push_back({"half-not-made",
                "all that is not in codes computes in 32 bits: whether values fit into 16 is told by data (--data)",
                {}});
        return compression;
    }
    DUO_TRY(exported, exportedSnapshot(snapshot, compression));
    DUO_TRY(quantized, quantizedModel(snapshot, *exported, compression, job));
    const TransformOptions& transforms = *snapshot.recipe.transforms;
    HalfOptions options = halfOptions(transforms, snapshot.recipe.rules);
    options.threads = threads;
    options.ports = false;
    const Snapshot opened = beforeTransforms(snapshot);
    options.original = opened.model.get();
    options.originalScopes = opened.scopes.get();
    job.tell({"halve", 0, 0});
    DUO_TRY(made, halvedModel({std::move(quantized), {}}, *dataset, options, job));
    const PassReport& half = made.report.passes.back();
    HalvedNodes halved{options.type, {}};
    for (const TransformedNode& node : half.applied) {
        const NodeId id = exported->model->findNode(node.name);
        if (id.valid() && !isQuantizer(exported->model->node(id)))
            halved.nodes.push_back(id);
    }
    addNotes(compression.notes, halved, half, transforms);
    if (std::ranges::any_of(halved.nodes, [&](NodeId id) { return hasBias(*exported->model, id); }))
        compression.notes.push_back({"half-biases-in-ort",
            "TensorRT reads the biases as they are; ONNX Runtime, at least on CPUs, first makes codes of them whose "
            "scales have 16 bits, which moves outputs far: run the file there without its optimizer "
            "WeightBiasQuantization",
            {}});
    compression.halved = std::move(halved);
    return compression;
}

Result<HalvedAgain> halvedExport(
    const Snapshot& exported, const EditList& edits, const HalvedNodes& halved, const JobContext& job)
{
    std::set<std::string> names;
    for (const NodeId node : halved.nodes)
        names.insert(exported.model->node(node).name);
    DUO_TRY(quantized, convertedModel(exported.model, edits, {}, job));
    const auto& transforms = exported.recipe.transforms;
    return halvedAgain(std::move(quantized), halved.type, names, transforms ? transforms->opset : 0, job);
}

} // namespace duo
