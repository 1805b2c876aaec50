// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/outline_model.h"

#include "core/onnx/outlined_model.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/scope/scope.h"

namespace duo {

Result<OutlinedFile> outlineFile(const std::filesystem::path& path, const OpenOptions& options,
    const OutlineRequest& request, bool isDryRun, const JobContext& job)
{
    DUO_TRY(model, readModelFile(path, options.read, job));
    DUO_CHECK(checkCanRun(*model));
    Snapshot snapshot;
    snapshot.model = model;
    snapshot.scopes = std::make_shared<Scopes>(findScopes(*model));
    if (!options.checkpoint.empty()) {
        DUO_TRY(told, withCheckpoint(snapshot, options.checkpoint, options.threads, job));
        snapshot = std::move(told);
    }
    DUO_TRY(plan, planOutline(*model, *snapshot.scopes, request));
    OutlinedFile outlined{model, model, std::move(plan)};
    if (isDryRun || outlined.plan.edits.calls.empty())
        return outlined;
    DUO_TRY(changed, outlinedModel(model, outlined.plan.edits, job));
    outlined.model = std::move(changed);
    return outlined;
}

} // namespace duo
