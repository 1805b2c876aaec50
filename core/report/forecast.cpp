// SPDX-License-Identifier: Apache-2.0
#include "core/report/forecast.h"

#include "core/analysis/verdict.h"

#include <algorithm>
#include <limits>

namespace duo {

const QuantizerForecast* Forecast::at(PointId point) const
{
    const auto found = std::ranges::lower_bound(quantizers, point, {}, &QuantizerForecast::point);
    return found == quantizers.end() || found->point != point ? nullptr : &*found;
}

const OutputForecast* Forecast::worstOutput() const
{
    const auto rank = [](const OutputForecast& output) {
        if (!output.isCompared || output.isIdentical)
            return std::numeric_limits<double>::infinity();
        if (output.equal)
            return verdictBounds().goodDb * *output.equal;
        return output.sqnrDb.value_or(-std::numeric_limits<double>::infinity());
    };
    const auto worst = std::ranges::min_element(outputs, {}, rank);
    return worst == outputs.end() || !worst->isCompared || worst->isIdentical ? nullptr : &*worst;
}

std::optional<double> Forecast::worstSqnrDb() const
{
    const OutputForecast* worst = worstOutput();
    return worst == nullptr ? std::nullopt : worst->sqnrDb;
}

} // namespace duo
