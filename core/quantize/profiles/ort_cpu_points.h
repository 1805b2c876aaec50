// SPDX-License-Identifier: Apache-2.0
// Points the ort-cpu profile adds and drops so that ONNX Runtime's CPU provider finds its int8 kernels
// (resources/docs/runtime.md, "How ort-cpu places").
#pragma once

#include "core/quantize/points/decision.h"
#include "core/quantize/points/settings.h"
#include "core/quantize/propagate/draft_setup.h"

#include <vector>

namespace duo {

/// An operator the rules are about, with what no rule of the user changes.
struct OrtCpuStep {
    VertexIndex vertex = 0; // whose first operator it is
    NodeId end; // the last node of the Relu and Clip chain behind it
    bool staysFloat = false; // what the chain gives
    bool isQuantizedByFile = false; // what the chain gives
};

/// Where the rules have to look, in the order of vertices.
struct OrtCpuPlan {
    std::vector<VertexIndex> moving; // Agnostic and Concat
    std::vector<OrtCpuStep> kernels; // operators with a QLinear kernel
    std::vector<OrtCpuStep> weighted; // convolutions and products
    std::vector<VertexIndex> gated; // with a Sigmoid, or an embedding
};

/// @param fused before rules ignore anything. O(vertices)
OrtCpuPlan planOrtCpuRules(
    const Model& model, const OpGraph& graph, const FusedGraph& fused, const QuantizationSettings& settings);

/// Changes the setup to what ONNX Runtime fuses:
/// - an operator with a QLinear kernel keeps its input quantizers only where its result is wanted in int8 too;
/// - a convolution gets a quantizer behind it (behind its Relu or Clip); one whose result is an output of the model
///   stays in float unless outputs are quantized, and keeps int8 weights only;
/// - a product gets a quantizer behind it where ONNX Runtime would fuse it with a float activation;
/// - the gate of a swish gets a quantizer; so does everything that moves quantized data, with the same parameters;
/// - a table that is looked up gets one 8-bit code for table and result.
/// @return [nodes] why a node that propagation had quantized stays in float, no reason elsewhere
std::vector<DecisionReason> applyOrtCpuRules(DraftSetup& draft, const Model& model, const OpGraph& graph,
    PropagationState& state, const OrtCpuPlan& plan, const QuantizationSettings& settings);

} // namespace duo
