// SPDX-License-Identifier: Apache-2.0
// Statistics of samples given as their elements.
#pragma once

#include "core/calibrate/measure/statistics.h"

#include <vector>

namespace duo::test {

/// @param samples [samples][elements], none empty
ValueStatistics statisticsOf(const std::vector<std::vector<float>>& samples);

} // namespace duo::test
