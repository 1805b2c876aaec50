// SPDX-License-Identifier: Apache-2.0
// Whether what a program calls its values is what a model calls them, which was exported from it.
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"

#include <vector>

namespace duo {

/// The signatures of a program for a model that may be an export of it. Exporters take operators apart and count names
/// anew then, so that `sub_1` of the program may be `sub_2` of the model, and its `sub_1` another value. A name is kept
/// where all values of the model whose names differ in the number only are made of what the program makes them of: by
/// the operator and operands that the exporter recorded (`pkg.torch.onnx.fx_node`), or else by the values they read.
/// Names of inputs are kept where the model has them in the program's order, those of outputs with a record. Others
/// become none of the model's. O(nodes + values of the program), but for nodes without a record, of which at most
/// kMostSeen are looked at for each.
std::vector<CallSignature> signaturesOf(const Model& model, const Checkpoint& checkpoint);

} // namespace duo
