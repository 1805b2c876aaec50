// SPDX-License-Identifier: Apache-2.0
#include "app/session/function_outlook.h"

#include <utility>

namespace duo::app {
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
}

FunctionOutlook::~FunctionOutlook()
{
    m_job.stop();
    m_pool.waitForDone();
}

void FunctionOutlook::look(const std::shared_ptr<const Snapshot>& snapshot, const OutlineRequest& request)
{
    m_snapshot = snapshot;
    m_request = request;
    m_job.run();
}

} // namespace duo::app
