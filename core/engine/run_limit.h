// SPDX-License-Identifier: Apache-2.0
// How long the engine may run one sample; a model can hold a loop that never ends.
#pragma once

#include "core/support/result.h"

#include <chrono>

namespace duo {

inline constexpr std::chrono::seconds kSampleTime{600};
inline constexpr std::chrono::seconds kMostSampleTime{1'000'000};

/// Of every run that begins from now on, whatever it is for. @param most 1 s to kMostSampleTime
void limitSampleTime(std::chrono::seconds most);
[[nodiscard]] std::chrono::seconds sampleTime();

/// Of a run that took longer; it does not say which sample that was.
Error ranTooLong(std::chrono::seconds most);

} // namespace duo
