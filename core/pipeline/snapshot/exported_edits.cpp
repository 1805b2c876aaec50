// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/exported_edits.h"

#include "core/marks/mark_metadata.h"
#include "core/onnx/writer.h"
#include "core/quantize/edits/own_zero_points.h"
#include "core/quantize/points/compressed.h"
#include "core/quantize/points/profile_rules.h"
#include "core/scope/make_record.h"
#include "core/state/model_hash.h"
#include "core/state/state_file.h"
#include "core/support/scratch_folder.h"
#include "core/support/version.h"
#include "core/transform/fused_names.h"

#include <algorithm>
#include <utility>

namespace duo {

Result<const Snapshot*> exportedSnapshot(const Snapshot& snapshot, const Compression& compression)
{
    const Snapshot& exported = placedBy(compression, snapshot);
    DUO_CHECK(exported.checkPlaced());
    return &exported;
}

bool wantsFunctionsAgain(const Snapshot& snapshot)
{
    const OutlineRequest& wanted = snapshot.recipe.functions;
    return wanted.isEmpty() && !wanted.flat && snapshot.opened
        && std::ranges::any_of(snapshot.opened->model->nodes, &Node::isCall);
}

bool wantsFunctions(const Snapshot& snapshot)
{
    return !snapshot.recipe.functions.isEmpty() || wantsFunctionsAgain(snapshot);
}

Result<QdqEdits> exportedEdits(const Snapshot& snapshot, const Compression& compression)
{
    DUO_TRY(exported, exportedSnapshot(snapshot, compression));
    DUO_TRY(qdq,
        buildQdqEdits(*exported->model, compression.setup, compression.parameters, exported->placement->decisions,
            snapshot.recipe.quantization, compression.biasShifts));
    if (wantsFunctions(snapshot))
        ownZeroPointsInPlace(qdq.edits, *exported->model);
    return qdq;
}

void describeInPlace(QdqEdits& qdq, const Snapshot& exported, std::string stateDigest)
{
    const Model& model = *exported.model;
    qdq.edits.metadata.emplace_back(kProducerKey, std::string("duoscope ") + kVersion);
    qdq.edits.metadata.emplace_back("duoscope.profile", profileText(exported.recipe.quantization.profile));
    qdq.edits.metadata.emplace_back(std::string(kStateDigestKey), std::move(stateDigest));
    qdq.edits.nodeMetadata = exporterMetadata(model, *exported.scopes);
    if (exported.recipe.quantization.nncfCompatible)
        qdq.fused.clear(); // that file stays as it is
    addFusedInPlace(qdq.edits, model, qdq.fused);
    qdq.edits.metadata.emplace_back(
        kScopeRecordKey, scopeRecordText(scopeRecord(model, *exported.scopes, qdq.edits.removedNodes, qdq.fused)));
    if (exported.recipe.marks.empty())
        return;
    const ModuleTree modules = moduleTree(model, *exported.scopes, exported.sources());
    EditList marks = markEdits(
        model, modules, exported.recipe.marks, annotate(modules, exported.recipe.marks), qdq.edits.removedNodes);
    addInPlace(qdq.edits, std::move(marks));
}

Result<std::int64_t> plannedBytes(const Snapshot& snapshot, const Compression& compression, const JobContext& job)
{
    DUO_TRY(exported, exportedSnapshot(snapshot, compression));
    DUO_TRY(qdq, exportedEdits(snapshot, compression));
    describeInPlace(qdq, *exported, textHash({})); // as long as any
    DUO_TRY(scratch, ScratchFolder::make());
    DUO_TRY(written, writeModel(*exported->model, qdq.edits, scratch.path() / "planned.onnx", job));
    return written.bytes;
}

} // namespace duo
