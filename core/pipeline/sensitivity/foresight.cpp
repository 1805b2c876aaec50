// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/foresight.h"

#include "core/pipeline/calibration/never_finite.h"

#include <utility>

namespace duo {

Result<std::shared_ptr<const Foresight>> foresee(std::shared_ptr<const Snapshot> snapshot,
    std::shared_ptr<const StatisticsFile> statistics, const Foresight* known, int threads, const JobContext& job)
{
    auto foresight = std::make_shared<Foresight>();
    const WeightErrors* weights = known ? known->weights.get() : nullptr;
    if (snapshot->placement) { // else makeForecast says why there is none
        DUO_TRY(finite, withoutNeverFinite(*snapshot, statistics->statistics));
        if (finite.changed)
            snapshot = finite.changed;
    }
    auto made = makeForecast(*snapshot, statistics->statistics, weights, threads, job);
    if (!made && made.error().code == ErrorCode::Cancelled)
        return made.error();
    foresight->snapshot = std::move(snapshot);
    foresight->statistics = std::move(statistics);
    if (made) {
        foresight->forecast = std::move(made->forecast);
        foresight->weights = std::move(made->weights);
    } else {
        auto nothing = std::make_shared<Forecast>(); // what was measured can be looked at all the same
        nothing->samples = foresight->statistics->statistics.samples();
        foresight->forecast = std::move(nothing);
        foresight->problem = made.error();
        foresight->weights = known ? known->weights : nullptr;
    }
    return std::shared_ptr<const Foresight>(std::move(foresight));
}

std::shared_ptr<const Foresight> withForecast(const Foresight& foresight, Forecast forecast)
{
    auto made = std::make_shared<Foresight>(foresight);
    made->forecast = std::make_shared<const Forecast>(std::move(forecast));
    return made;
}

std::shared_ptr<const Foresight> withoutErrors(std::shared_ptr<const Foresight> foresight, const Error& why)
{
    if (why.code == ErrorCode::Cancelled)
        return foresight;
    Forecast forecast = *foresight->forecast;
    forecast.whyNoError = why.line();
    return withForecast(*foresight, std::move(forecast));
}

} // namespace duo
