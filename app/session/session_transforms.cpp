// SPDX-License-Identifier: Apache-2.0
// The session's transforms: what they would do, and what goes with the model that was before them.
#include "app/session/session.h"
#include "core/pipeline/snapshot/transform_model.h"

#include <utility>

namespace duo::app {

/// What was made of another model than the one that transforms make now.
void Session::forgetModelBefore()
{
    m_result.reset();
    m_times = {};
    m_halves = {};
    m_run = {};
    forgetSensitivity();
    if (m_isMeasured)
        setStatistics({});
    lookAtModelAnew();
}

void Session::foreseeTransforms(const TransformOptions& options)
{
    m_transformsOf = options;
    m_foreseeingTransforms.run();
}

LatestJob<Session::TransformsMade>::Work Session::foreseeingTransforms()
{
    if (!m_snapshot)
        return {};
    const Snapshot opened = beforeTransforms(*m_snapshot);
    m_transformed = opened.model;
    return [opened, options = m_transformsOf](const JobContext& job) -> Result<TransformsMade> {
        DUO_TRY(made, transformModel(opened.model, options, job, opened.scopes.get()));
        return std::make_shared<const TransformReport>(std::move(made.report));
    };
}

void Session::finishTransforms(Result<TransformsMade>&& report, bool isStale)
{
    const auto of = std::exchange(m_transformed, nullptr);
    if (isStale || beforeTransforms(*m_snapshot).model != of) // another model was opened meanwhile
        return;
    if (report)
        Q_EMIT transformsForeseen(*report);
    else if (report.error().code != ErrorCode::Cancelled)
        Q_EMIT failed(report.error());
}

} // namespace duo::app
