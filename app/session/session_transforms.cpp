// SPDX-License-Identifier: Apache-2.0
// The session's transforms: what they would do, and what goes with the model that was before them.
#include "app/session/session.h"
#include "core/pipeline/snapshot/transform_model.h"

namespace duo::app {

/// What was made of another model than the one that transforms make now.
void Session::forgetModelBefore()
{
    m_result.reset();
    m_times = {};
    m_run = {};
    forgetSensitivity();
    if (m_isMeasured)
        setStatistics({});
    findTypesAnew();
}

void Session::foreseeTransforms(const TransformOptions& options)
{
    m_stopTransforms.request_stop();
    if (!m_snapshot)
        return;
    using Report = std::shared_ptr<const TransformReport>;
    const auto work = [opened = beforeTransforms(*m_snapshot), options](const JobContext& job) -> Result<Report> {
        DUO_TRY(made, transformModel(opened.model, options, job, opened.scopes.get()));
        return std::make_shared<const TransformReport>(std::move(made.report));
    };
    const auto end = [this, opened = beforeTransforms(*m_snapshot).model](Result<Report>&& report) {
        if (beforeTransforms(*m_snapshot).model != opened) // another model was opened meanwhile
            return;
        if (report)
            Q_EMIT transformsForeseen(*report);
        else if (report.error().code != ErrorCode::Cancelled)
            Q_EMIT failed(report.error());
    };
    m_stopTransforms = startJob<Report>(m_pool, *this, work, {}, end);
}

} // namespace duo::app
