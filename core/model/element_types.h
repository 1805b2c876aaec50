// SPDX-License-Identifier: Apache-2.0
// Element types of values the file does not declare, from the operators' type rules.
#pragma once

#include "core/model/model.h"

namespace duo {

/// Fills ValueType::element where it is Undefined and the producer's rule tells (ONNX operator specification); values
/// of unknown operators stay Undefined, for the engine to tell. Needs producers and order. O(nodes).
void inferElementTypesInPlace(Model& model);

} // namespace duo
