// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/fallback.h"

#include "core/pipeline/sensitivity/suggest_floats.h"

namespace duo {
namespace {

using Candidates = std::vector<const FallbackCandidate*>;

/// Takes back those without which the bound holds too: of them that gained little where they were added, as the rest
/// is dear to try.
/// @param candidates of what is kept, in its order
Status leaveOutIdle(FallenBack& fallback, const Snapshot& snapshot, Candidates candidates, double bound,
    const FallbackMeasure& measure, const JobContext& job)
{
    const double little = (bound - fallback.before) / 10;
    double without = fallback.before;
    for (std::size_t i = 0; i + 1 < candidates.size();) {
        const bool isIdle = fallback.kept[i].measured - without < little;
        without = fallback.kept[i].measured;
        if (!isIdle) {
            ++i;
            continue;
        }
        if (job.stopped())
            return cancelledError();
        Recipe recipe = snapshot.recipe;
        for (const FallbackCandidate* candidate : candidates) {
            if (candidate != candidates[i])
                recipe = withRules(std::move(recipe), candidate->rules);
        }
        DUO_TRY(fewer, withRecipe(snapshot, std::move(recipe)));
        DUO_TRY(measured, measure(fewer));
        if (measured < bound) {
            ++i;
            continue;
        }
        const auto place = static_cast<std::ptrdiff_t>(i);
        candidates.erase(candidates.begin() + place);
        fallback.kept.erase(fallback.kept.begin() + place);
        fallback.snapshot = std::move(fewer);
        fallback.measured = measured;
    }
    return success();
}

} // namespace

Result<FallenBack> fallBack(const Snapshot& snapshot, double before, const std::vector<FallbackCandidate>& candidates,
    double bound, const FallbackMeasure& measure, const JobContext& job)
{
    FallenBack fallback;
    fallback.snapshot = snapshot;
    fallback.before = before;
    fallback.measured = before;
    fallback.holds = before >= bound;
    Candidates kept;
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
        kept.push_back(&candidate);
    }
    if (fallback.holds)
        DUO_CHECK(leaveOutIdle(fallback, snapshot, std::move(kept), bound, measure, job));
    return fallback;
}

} // namespace duo
