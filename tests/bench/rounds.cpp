// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/rounds.h"

#include <algorithm>
#include <chrono>

namespace duo::bench {

double milliseconds(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

void runRounds(std::vector<Stage>& stages, int rounds)
{
    for (int round = 0; round < rounds; ++round) {
        for (Stage& stage : stages)
            stage.times.push_back(milliseconds(stage.work));
    }
}

} // namespace duo::bench
