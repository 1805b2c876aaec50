// SPDX-License-Identifier: Apache-2.0
// Defects of the engine that end the whole program: models that have them are refused before it sees them.
#pragma once

#include "core/model/model.h"
#include "core/support/result.h"

namespace duo {

/// - body inputs that are initializers too: where a Loop or Scan gives its body more than the body takes, ONNX Runtime
///   1.30 reads behind the end of a list (1.31.1 refuses such a model).
/// @return EngineFailed naming the node. O(bodies)
Status checkEngineDefects(const Model& model);

} // namespace duo
