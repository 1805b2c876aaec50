// SPDX-License-Identifier: Apache-2.0
// A convolution that the engine has no int8 kernel for, behind one that it has.
#pragma once

#include "tests/core/pipeline/normal_samples.h"
#include "tests/support/proto_builder.h"

namespace duo::test {

/// "x" to "h", which a convolution in int8 gives, and behind a Tanh to "b", which one gives whose bias is data.
inline void addUnfusedTail(ProtoBuilder& model)
{
    model.input("x", {1, 4, 4, 4}).output("y", {1, 4, 4, 4});
    model.weight("W1", {4, 4, 1, 1}, normal(16, 1)).weight("W2", {4, 4, 1, 1}, normal(16, 2));
    model.node("Conv", "first", {"x", "W1"}, {"h"});
    model.node("Tanh", "squash", {"h"}, {"t"});
    model.tensor("channels", {1}, onnx::TensorProto::INT64).add_int64_data(4);
    model.node("GlobalAveragePool", "mean", {"t"}, {"m"});
    model.node("Reshape", "vector", {"m", "channels"}, {"bias"});
    model.node("Conv", "tail", {"t", "W2", "bias"}, {"b"});
}

} // namespace duo::test
