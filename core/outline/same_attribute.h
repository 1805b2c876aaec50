// SPDX-License-Identifier: Apache-2.0
// Whether attributes of two nodes, or tensors, say the same.
#pragma once

#include "core/model/model.h"

namespace duo {

/// Bit for bit, tensors with their names. O(bytes).
bool isSameValue(const Model& model, const Attribute& a, const Attribute& b);

/// Element type, shape and bytes; false where one is missing or its bytes are not there. O(bytes).
bool isSameContent(const Model& model, TensorId a, TensorId b);

} // namespace duo
