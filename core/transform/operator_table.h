// SPDX-License-Identifier: Apache-2.0
// The operators of ai.onnx up to opset 13, and how their older forms become that of 13.
#pragma once

#include "core/transform/rewrites.h"

#include <string_view>

namespace duo {

/// One operator.
struct OperatorRow {
    std::string_view opType;
    int since = 1; // the opset that brought it
    int asIs = 1; // from this opset on a node means in opset 13 what it means in its own
    int oldest = 1; // from this opset on, and below `asIs`, it is rewritten; older ones have no conversion
    void (*rewrite)(NodeRewrite&) = nullptr; // null: nothing is
};

/// Null for operators that ai.onnx does not have up to opset 13.
const OperatorRow* operatorRow(std::string_view opType);

} // namespace duo
