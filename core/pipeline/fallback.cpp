// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/fallback.h"

#include "core/pipeline/sensitivity/suggest_floats.h"

namespace duo {

Result<FallenBack> fallBack(const Snapshot& snapshot, double before, const std::vector<FallbackCandidate>& candidates,
    double bound, const FallbackMeasure& measure, const JobContext& job)
{
    FallenBack fallback;
    fallback.snapshot = snapshot;
    fallback.before = before;
    fallback.measured = before;
    fallback.holds = before >= bound;
    for (const FallbackCandidate& candidate : candidates) {
        if (fallback.holds)
            break;
        if (job.stopped())
            return cancelledError();
        job.tell({"fallback", static_cast<std::int64_t>(fallback.tried), static_cast<std::int64_t>(candidates.size())});
        ++fallback.tried;
        const Snapshot& now = fallback.snapshot;
        DUO_TRY(next, withRecipe(now, withRules(now.recipe, candidate.rules)));
        DUO_TRY(measured, measure(next));
        if (measured < fallback.measured)
            continue;
        fallback.snapshot = std::move(next);
        fallback.measured = measured;
        fallback.holds = measured >= bound;
        fallback.kept.push_back({candidate.name, measured});
    }
    return fallback;
}

} // namespace duo
