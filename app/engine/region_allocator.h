// SPDX-License-Identifier: Apache-2.0
// Where ONNX Runtime takes memory for values from.
#pragma once

#include "app/engine/engine_memory.h"

struct OrtEnv;

namespace duo {

/// From now on sessions that want it (session.use_env_allocators) have their large values in `memory`, which must live
/// as long as the environment; small ones and weights lie elsewhere.
/// @return false where this version of the engine cannot do so
bool allocateValuesIn(EngineMemory& memory, OrtEnv* environment);

} // namespace duo
