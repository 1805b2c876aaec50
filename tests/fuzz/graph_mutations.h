// SPDX-License-Identifier: Apache-2.0
// Graph mutations: typed edits of a parsed ONNX model, of the kinds that exporters and attackers get wrong.
#pragma once

#include <onnx.pb.h>

#include <random>

namespace duo::test {

/// One to five edits: names emptied, repeated, broken or with escapes in them, inputs and outputs dropped, doubled and
/// turned elsewhere, attributes of other types, sizes that cannot be, other operators, bodies inside bodies, calls
/// inside calls, our own internal operators. The same `random` gives the same edits.
void mutateInPlace(onnx::ModelProto& model, std::mt19937_64& random);

} // namespace duo::test
