// SPDX-License-Identifier: Apache-2.0
#include "app/session/function_outlook.h"

#include "core/onnx/writer.h"
#include "core/pipeline/outline_model.h"

#include <utility>

namespace duo::app {
namespace {

Result<OutlinePlan> writtenPlan(const std::filesystem::path& model, const OpenOptions& options,
    const OutlineRequest& request, const std::filesystem::path& target, const JobContext& job)
{
    DUO_TRY(outlined, outlineFile(model, options, request, false, job));
    if (outlined.plan.functions.empty())
        return Error{ErrorCode::Unsupported, "no module became a function, and nothing was written",
            outlined.plan.refusals.empty() ? std::string() : outlined.plan.refusals.front().scope,
            outlined.plan.refusals.empty() ? std::string() : outlined.plan.refusals.front().why};
    DUO_CHECK(writeModel(*outlined.model, {}, target, job));
    return std::move(outlined.plan);
}

} // namespace

FunctionOutlook::FunctionOutlook(QObject* parent)
    : QObject(parent)
    , m_job(
          m_pool, *this,
          [this]() -> LatestJob<Plan>::Work {
              return [snapshot = m_snapshot, request = m_request](const JobContext&) -> Result<Plan> {
                  DUO_TRY(plan, planOutline(*snapshot->model, *snapshot->scopes, request));
                  return std::make_shared<const OutlinePlan>(std::move(plan));
              };
          },
          [this](Result<Plan>&& result, bool isStale) {
              if (isStale)
                  return;
              if (result)
                  Q_EMIT planned(*result);
              else
                  Q_EMIT notPlanned(result.error());
          })
{
    m_pool.setMaxThreadCount(2); // what is written does not hold up what is looked at
}

FunctionOutlook::~FunctionOutlook()
{
    m_job.stop();
    m_stopWriting.request_stop();
    m_pool.waitForDone();
}

void FunctionOutlook::look(const std::shared_ptr<const Snapshot>& snapshot, const OutlineRequest& request)
{
    m_snapshot = snapshot;
    m_request = request;
    m_job.run();
}

void FunctionOutlook::write(
    const Snapshot& snapshot, const OutlineRequest& request, const std::filesystem::path& target)
{
    OpenOptions options;
    if (snapshot.checkpoint)
        options.checkpoint = snapshot.checkpoint->path;
    const auto work = [model = snapshot.model->path, options, request, target](
                          const JobContext& job) { return writtenPlan(model, options, request, target, job); };
    const auto end = [this, target](Result<OutlinePlan>&& plan) {
        if (plan)
            Q_EMIT written(target, std::make_shared<const OutlinePlan>(*std::move(plan)));
        else if (plan.error().code != ErrorCode::Cancelled)
            Q_EMIT failed(plan.error());
    };
    m_stopWriting = startJob<OutlinePlan>(m_pool, *this, work, {}, end);
}

} // namespace duo::app
