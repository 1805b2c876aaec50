// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/foreseen_speed.h"

#include "core/analysis/latency.h"
#include "core/analysis/verdict.h"
#include "core/engine/open_model.h"
#include "core/pipeline/snapshot/exported_edits.h"
#include "core/quantize/points/profile_rules.h"

#include <algorithm>

namespace duo {
namespace {

constexpr LatencyBudget kBudget{std::chrono::milliseconds(20), std::chrono::milliseconds(100), 2};

} // namespace

Result<ForeseenSpeed> ForeseenSpeed::open(const Snapshot& snapshot, const Dataset& dataset, const JobContext& job)
{
    ForeseenSpeed speed(job);
    if (!targetOf(snapshot.recipe.quantization).runsOnOrtCpu || dataset.size() < 1)
        return speed;
    DUO_TRY(session, openModel(*snapshot.model, {}, job));
    DUO_TRY(feeds, dataset.sample(0));
    speed.m_float = std::move(session);
    speed.m_feeds = std::move(feeds);
    return speed;
}

Result<std::optional<double>> ForeseenSpeed::of(const Snapshot& snapshot, const Compression& compression) const
{
    if (!m_float)
        return std::optional<double>();
    DUO_TRY(exported, exportedSnapshot(snapshot, compression));
    DUO_TRY(qdq, exportedEdits(snapshot, compression));
    DUO_TRY(quantized, openWithEdits(*exported->model, std::move(qdq.edits), m_job));
    DUO_TRY(latency, measureLatency({*m_float, quantized}, m_feeds, kBudget, m_job));
    const bool canBeTold = std::max(latency.shortestA, latency.shortestB) >= verdictBounds().tellableMs;
    return canBeTold && latency.shortestB > 0 ? std::optional(latency.shortestA / latency.shortestB) : std::nullopt;
}

} // namespace duo
