// SPDX-License-Identifier: Apache-2.0
// Models of opset 13 and later for what only newer ones can say: scales of 16 bits (19), codes of 16 and 4 bits (21).
#pragma once

#include "core/transform/pass.h"

namespace duo {

inline constexpr std::int64_t kMostRaised = 25; // what operators changed later is not known

/// A model in the least opset of the scene that computes the same; all of it or nothing: nodes that have no newer form
/// are skipped by name. Nothing for models at it or above, and below opset 13 (core/transform/raise_opset.h).
PassResult toNewerOpset(const PassScene& scene);

} // namespace duo
