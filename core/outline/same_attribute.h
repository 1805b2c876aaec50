// SPDX-License-Identifier: Apache-2.0
// Whether attributes of two nodes say the same.
#pragma once

#include "core/model/model.h"

namespace duo {

/// Bit for bit, tensors with their names. O(bytes).
bool isSameValue(const Model& model, const Attribute& a, const Attribute& b);

} // namespace duo
