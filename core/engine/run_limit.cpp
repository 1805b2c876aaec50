// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run_limit.h"

#include <algorithm>
#include <atomic>
#include <string>

namespace duo {
namespace {

std::atomic<std::chrono::seconds>& limit()
{
    static std::atomic<std::chrono::seconds> most{kSampleTime};
    return most;
}

} // namespace

void limitSampleTime(std::chrono::seconds most)
{
    limit() = std::clamp(most, std::chrono::seconds(1), kMostSampleTime);
}

std::chrono::seconds sampleTime()
{
    return limit();
}

std::chrono::seconds loadTime()
{
    return 3 * sampleTime();
}

Error loadedTooLong(const std::string& model, std::chrono::seconds most)
{
    return {ErrorCode::EngineOverTime,
        "the engine loaded the model for longer than " + std::to_string(most.count()) + " s", model,
        "allow more with --sample-time (in the window Quantize > Limits), a third of what loading takes"};
}

Error ranTooLong(std::chrono::seconds most)
{
    return {ErrorCode::EngineOverTime, "the engine ran longer than " + std::to_string(most.count()) + " s", {},
        "allow more with --sample-time (in the window Quantize > Limits), or give smaller samples; a loop of the model "
        "may never end"};
}

} // namespace duo
