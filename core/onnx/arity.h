// SPDX-License-Identifier: Apache-2.0
// Arity: how many inputs and outputs products have at least.
#pragma once

#include "core/model/model.h"

namespace duo {

/// Holds for a product of ai.onnx: its leading inputs and its output are not omitted, as many as every opset wants.
/// Others may have any number. @return MalformedModel naming the node
Status checkArity(const Node& node);

} // namespace duo
