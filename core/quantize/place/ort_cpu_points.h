// SPDX-License-Identifier: Apache-2.0
// Points the ort-cpu profile adds and drops so that ONNX Runtime's CPU provider finds its int8 kernels
// (reference/engine.md 2.3 and Appendix A).
#pragma once

#include "core/quantize/place/draft_setup.h"
#include "core/quantize/settings.h"

#include <string>
#include <vector>

namespace duo {

/// Changes the setup to what ONNX Runtime fuses:
/// - an operator with a QLinear kernel keeps its input quantizers only where its result is wanted in int8 too;
/// - a convolution gets a quantizer behind it (behind its Relu or Clip); one whose result is an output of the model
///   stays in float unless outputs are quantized, and keeps int8 weights only;
/// - a product gets a quantizer behind it where ONNX Runtime would fuse it with a float activation;
/// - the gate of a swish gets a quantizer; so does everything that moves quantized data, with the same parameters;
/// - a table that is looked up gets one 8-bit code for table and result.
/// @return [nodes] why a node that propagation had quantized stays in float, "" elsewhere
std::vector<std::string> applyOrtCpuRules(DraftSetup& draft, const Model& model, const OpGraph& graph,
    PropagationState& state, const QuantizationSettings& settings);

} // namespace duo
