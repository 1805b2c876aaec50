// SPDX-License-Identifier: Apache-2.0
// suggestFloats: rule sets that keep the most sensitive groups in float, each measured with the plan it leads to.
#pragma once

#include "core/pipeline/sensitivity/foreseen_speed.h"
#include "core/pipeline/sensitivity/group_errors.h"
#include "core/pipeline/sensitivity/measure_sensitivity.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace duo {

/// In which order groups are tried: by rank, and those that were passed over again once another was taken, for beside
/// it they may gain what they do not alone: a node in float between quantizers keeps their error.
class FloatQueue
{
public:
    struct Turn {
        std::size_t group = 0;
        bool isAgain = false;
    };
    explicit FloatQueue(const std::vector<std::size_t>& order)
        : m_order(order.begin(), order.end())
    {
    }
    std::optional<Turn> next(); // nothing: all were
    void take(); // the last turn's
    void passOver();

private:
    static constexpr int kMostAgain = 3; // times each
    std::deque<std::size_t> m_order;
    std::deque<std::size_t> m_again;
    std::vector<std::size_t> m_passedOver; // since another was taken
    std::map<std::size_t, int> m_timesPassed;
    Turn m_last;
};

/// The recipe with more rules; those it has already are not added again.
Recipe withRules(Recipe recipe, const std::vector<Rule>& rules);

/// Each suggestion has one group more than the one before and is no worse; at most eight, and none after three groups
/// in a row that gain nothing, not counting those tried again. @return as measureSensitivity
Result<std::vector<FloatSuggestion>> suggestFloats(const Snapshot& snapshot, const SensitivityReport& report,
    const Dataset& dataset, const ForeseenSpeed& speed, const Recalibrate& recalibrate, std::int64_t samples,
    int threads, const JobContext& job);

} // namespace duo
