// SPDX-License-Identifier: Apache-2.0
// Models for runtimes that are older than the opset they are written in.
#pragma once

#include "core/transform/pass.h"

namespace duo {

inline constexpr std::int64_t kLeastLowered = 13; // older ones are raised to it when they are read

std::int64_t irVersionOf(std::int64_t opset); // that came with it

/// A model in the opset of the scene that computes the same; all of it or nothing: nodes that have no older form are
/// skipped by name. Operators that it has not are written as several.
PassResult lowerOpset(const PassScene& scene);

} // namespace duo
