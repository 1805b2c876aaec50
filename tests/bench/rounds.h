// SPDX-License-Identifier: Apache-2.0
// Stages timed in interleaved rounds, so that what slows the machine slows all of them.
#pragma once

#include <functional>
#include <vector>

namespace duo::bench {

struct Stage {
    const char* name;
    std::function<void()> work;
    std::vector<double> times; // milliseconds, one per round
};

double milliseconds(const std::function<void()>& work);
/// @param values at least one
double median(std::vector<double> values);
void runRounds(std::vector<Stage>& stages, int rounds);

} // namespace duo::bench
