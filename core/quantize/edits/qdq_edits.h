// SPDX-License-Identifier: Apache-2.0
// QDQ edits: what to change in a model so that the quantizers of a setup are in place, as QuantizeLinear and
// DequantizeLinear pairs on activations, int8 initializers with DequantizeLinear on weights, int32 biases.
#pragma once

#include "core/model/model.h"
#include "core/quantize/edits/bias_correction.h"
#include "core/quantize/points/decision.h"
#include "core/quantize/points/parameters.h"
#include "core/quantize/points/settings.h"
#include "core/transform/edit_list.h"

#include <map>
#include <string>
#include <vector>

namespace duo {

/// Names a quantized activation goes by in the written file.
struct ActivationNames {
    std::string floating; // before QuantizeLinear
    std::string quantized;
    std::string dequantized;
    std::string kept{}; // behind the barrier that keeps its producer in float; empty without one
};

struct QdqEdits {
    EditList edits;
    std::multimap<ValueId, ActivationNames> activations; // by original value
    std::map<NodeId, std::vector<std::string>> quantizedWeights; // reader -> int8 initializers it reads
    std::map<NodeId, std::string> products; // what a Gemm gives that is written apart from its addition
    std::int64_t int8Elements = 0; // parameters stored in 8 bits
    std::vector<std::pair<NodeId, NodeId>> fused = {}; // a node that stays, and one that became a part of it
};

/// The edits for a model. Weights are read and quantized here, one at a time.
/// - A quantizer on an output renames the float value, so that everybody, graph outputs included, reads the dequantized
///   one: ONNX Runtime fuses a node only if its output feeds nothing but the QuantizeLinear.
/// - Where an ignored node would stand between DequantizeLinear and QuantizeLinear, ONNX Runtime would quantize its
///   weight on its own and run it in int8; a LeakyRelu with slope 1 (exact identity, never removed) keeps it in float.
///   The same stands between a product and a clamp that stays in float, which would take the int8 kernel from it.
/// - A Gemm to which something is added that no int8 kernel takes is written as a Gemm without it and an Add in float.
/// - Biases are int32 or stay float, as the profile wants them; only ort-cpu needs such barriers.
/// - Sixteen bits need opset 21; below it they take ONNX Runtime's own operators (domain com.microsoft).
/// - Unnamed and repeated nodes get the names they are shown by.
/// @return BadData or MalformedModel naming the weight that cannot be quantized
/// @param shifts added to the biases of their nodes before those are quantized
Result<QdqEdits> buildQdqEdits(const Model& model, const QuantizerSetup& setup, const ParametersByPoint& parameters,
    const Decisions& decisions, const QuantizationSettings& settings = {}, const BiasShifts& shifts = {});

} // namespace duo
