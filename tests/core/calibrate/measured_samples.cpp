// SPDX-License-Identifier: Apache-2.0
#include "tests/core/calibrate/measured_samples.h"

#include <algorithm>

namespace duo::test {

ValueStatistics statisticsOf(const std::vector<std::vector<float>>& samples)
{
    ValueStatistics all;
    TensorMeter meter;
    for (const auto& sample : samples) {
        const auto size = static_cast<std::int64_t>(sample.size());
        const TensorMeasure& measure = meter.measure(sample, std::span(&size, 1), std::nullopt);
        all.min = std::min(all.min, measure.min);
        all.max = std::max(all.max, measure.max);
        all.elements += measure.elements;
        all.samples.min.push_back(measure.min);
        all.samples.max.push_back(measure.max);
        all.samples.low.push_back(measure.low);
        all.samples.high.push_back(measure.high);
        all.samples.magnitude.push_back(measure.magnitude);
        all.samples.mean.push_back(static_cast<float>(measure.moments.sum.value() / static_cast<double>(size)));
        all.histogram.add(measure.bins.bins());
        all.sum.add(measure.moments.sum);
    }
    return all;
}

} // namespace duo::test
