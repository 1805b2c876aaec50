// SPDX-License-Identifier: Apache-2.0
// What a node is beside its operator and its inputs, for digests.
#pragma once

#include "core/model/model.h"
#include "core/state/digest.h"

namespace duo {

/// Type and sizes.
void addShape(Digest& digest, const Tensor& tensor);

/// Attributes in the order of their names, tensors with their bytes; of bodies only that they are there.
void addAttributes(Digest& digest, const Model& model, const Node& node);

} // namespace duo
