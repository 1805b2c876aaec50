// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/function_export.h"

#include "core/engine/open_model.h"
#include "core/onnx/writer.h"
#include "core/pipeline/export_target.h"
#include "core/pipeline/outline_model.h"
#include "core/support/phrases.h"

#include <string>
#include <utility>

namespace duo {
namespace {

Check failed(const Error& error)
{
    return {"functions", false, "no functions were made: " + error.line(), {}};
}

Check checkOf(const OutlinePlan& plan)
{
    Check check{"functions", !plan.functions.empty(),
        counted(plan.functions.size(), "function", "functions") + " with "
            + counted(plan.scopes.size(), "call", "calls"),
        {}};
    for (const OutlineRefusal& refusal : plan.refusals)
        check.nodes.push_back(refusal.scope);
    if (!plan.refusals.empty())
        check.message += "; not " + plan.refusals.front().scope + ": " + plan.refusals.front().why;
    if (plan.refusals.size() > 1)
        check.message += ", and " + std::to_string(plan.refusals.size() - 1) + " more";
    return check;
}

} // namespace

Result<Check> makeFunctions(
    const Model& original, const std::filesystem::path& file, const OutlineRequest& request, const JobContext& job)
{
    auto outlined = outlineFile(file, {}, request, false, job);
    if (job.stopped())
        return cancelledError();
    if (!outlined)
        return failed(outlined.error());
    if (outlined->plan.functions.empty())
        return checkOf(outlined->plan);
    DUO_TRY(staged, StagedExport::beside(file));
    DUO_CHECK(writeModel(*outlined->model, {}, staged.model(), job));
    const auto session = openExport(original, staged.model(), {.stop = job.stop});
    if (job.stopped())
        return cancelledError();
    if (!session)
        return failed(session.error());
    DUO_CHECK(staged.putInPlace());
    return checkOf(outlined->plan);
}

} // namespace duo
