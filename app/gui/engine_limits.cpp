// SPDX-License-Identifier: Apache-2.0
#include "app/gui/engine_limits.h"

#include "core/engine/engine_process.h"
#include "core/engine/run_limit.h"

#include <string>

namespace duo::app {
namespace {

QString timeKey()
{
    return QStringLiteral("engine/sampleTime"); // s
}

QString memoryKey()
{
    return QStringLiteral("engine/memory"); // bytes; 0: all
}

} // namespace

ui::EngineLimits usualLimits()
{
    return {kSampleTime, 0};
}

ui::EngineLimits presentLimits()
{
    return {sampleTime(), engineMemory().value_or(0)};
}

void setLimits(const ui::EngineLimits& limits)
{
    limitSampleTime(limits.sampleTime);
    if (limits.memory == engineMemory().value_or(0))
        return; // engines that wait for work stay
    if (limits.memory == 0 || !limitEngineMemory(std::to_string(limits.memory)))
        allowAllEngineMemory();
}

ui::EngineLimits readLimits(const QSettings& settings)
{
    ui::EngineLimits limits = usualLimits();
    bool isNumber = false;
    const int seconds = settings.value(timeKey()).toInt(&isNumber);
    if (isNumber && seconds >= 1 && std::chrono::seconds(seconds) <= kMostSampleTime)
        limits.sampleTime = std::chrono::seconds(seconds);
    limits.memory = settings.value(memoryKey()).toULongLong();
    return limits;
}

void writeLimits(QSettings& settings, const ui::EngineLimits& limits)
{
    settings.setValue(timeKey(), static_cast<int>(limits.sampleTime.count()));
    settings.setValue(memoryKey(), static_cast<qulonglong>(limits.memory));
}

} // namespace duo::app
