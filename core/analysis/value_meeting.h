// SPDX-License-Identifier: Apache-2.0
// ValueMeeting: two runs, of two models on one sample at the same time, meet at the values both compute.
#pragma once

#include "core/analysis/measure_pairs.h"
#include "core/support/job.h"

#include <array>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

namespace duo {

/// The first run to compute a value leaves a copy for the other. Copies take about `mostBytes` at most: a run that
/// would leave more waits for the other one, and where both would wait, values are put off to another round, in which
/// both models run again. Runs that compute values in much the same order need one round.
class ValueMeeting
{
public:
    enum class Side { A, B };

    ValueMeeting(std::size_t values, std::int64_t mostBytes, const JobContext& job);

    /// Before both runs of a round. @return false where no value is left for one
    bool startRound();
    /// A run has computed value `index`. Thread-safe; each side from one thread.
    void visit(Side side, std::size_t index, const TensorView& view);
    /// A run has ended, well or not.
    void leave(Side side);

    /// How far the values are apart; one that only one side has computed has no shape in common.
    [[nodiscard]] std::vector<PairError> errors() &&;

private:
    enum class State { Open, Waiting, Met, PutOff, Missed };

    struct Run {
        bool hasLeft = false;
        std::optional<std::size_t> waitsWith; // value it cannot leave a copy of yet
    };

    [[nodiscard]] bool hasRoom(std::unique_lock<std::mutex>& lock, Side side, std::size_t index, std::int64_t bytes);

    std::int64_t m_mostBytes;
    const JobContext m_job;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::vector<State> m_states; // [values]
    std::vector<HostTensor> m_waiting; // [values]
    std::vector<PairError> m_errors; // [values]
    std::int64_t m_bytes = 0; // of what waits
    std::array<Run, 2> m_runs;
    bool m_isFirstRound = true;
};

} // namespace duo
