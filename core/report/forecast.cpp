// SPDX-License-Identifier: Apache-2.0
#include "core/report/forecast.h"

#include <algorithm>

namespace duo {

const QuantizerForecast* Forecast::at(PointId point) const
{
    const auto found = std::ranges::lower_bound(quantizers, point, {}, &QuantizerForecast::point);
    return found == quantizers.end() || found->point != point ? nullptr : &*found;
}

std::optional<double> Forecast::worstSqnrDb() const
{
    std::optional<double> worst;
    for (const OutputForecast& output : outputs) {
        if (output.sqnrDb)
            worst = std::min(worst.value_or(*output.sqnrDb), *output.sqnrDb);
    }
    return worst;
}

} // namespace duo
