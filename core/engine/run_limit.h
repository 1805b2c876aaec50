// SPDX-License-Identifier: Apache-2.0
// How long the engine may run one sample, and load a model; a model can hold a loop that never ends.
#pragma once

#include "core/support/result.h"

#include <chrono>
#include <string>

namespace duo {

inline constexpr std::chrono::seconds kSampleTime{600};
inline constexpr std::chrono::seconds kMostSampleTime{1'000'000};

/// Of every run that begins from now on, whatever it is for. @param most 1 s to kMostSampleTime
void limitSampleTime(std::chrono::seconds most);
[[nodiscard]] std::chrono::seconds sampleTime();

/// A model is loaded in three times that: large ones are optimized for minutes.
[[nodiscard]] std::chrono::seconds loadTime();

/// EngineOverTime of a run that took longer; it does not say which sample that was.
Error ranTooLong(std::chrono::seconds most);
Error loadedTooLong(const std::string& model, std::chrono::seconds most);

} // namespace duo
