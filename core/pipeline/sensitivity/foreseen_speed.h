// SPDX-License-Identifier: Apache-2.0
// ForeseenSpeed: how much faster than the float model what a plan would be exported as runs, before it is written.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/engine/session.h"
#include "core/pipeline/snapshot/compression.h"

#include <optional>
#include <vector>

namespace duo {

class ForeseenSpeed
{
public:
    /// Of models whose target is the engine this program runs; of others nothing is known. Keeps a reference to `job`.
    /// @return EngineFailed, BadData
    static Result<ForeseenSpeed> open(const Snapshot& snapshot, const Dataset& dataset, const JobContext& job);

    /// Time of the float model by that of the quantized one, both run in turns on the first sample for a tenth of a
    /// second; what the engine would not fuse is not taken out before, as an export does. Nothing where a run is too
    /// short to tell (verdictBounds), or not known. @param compression of `snapshot` @return EngineFailed, Cancelled
    [[nodiscard]] Result<std::optional<double>> of(const Snapshot& snapshot, const Compression& compression) const;

private:
    explicit ForeseenSpeed(const JobContext& job)
        : m_job(job)
    {
    }

    const JobContext& m_job;
    std::optional<Session> m_float; // nothing: not known
    std::vector<HostTensor> m_feeds;
};

} // namespace duo
