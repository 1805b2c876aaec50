// SPDX-License-Identifier: Apache-2.0
// correctedBiases: what a tool that quantized a model added to its biases.
#pragma once

#include "core/quantize/edits/bias_correction.h"

namespace duo {

/// Of the nodes of a setup whose bias stands at the same port of the node of the same name in the quantized model, in
/// float or in codes: what it is more than that of the float model. Nothing of a bias that only codes rounded.
/// O(nodes of the setup + their biases)
BiasShifts correctedBiases(const Model& quantized, const Model& original, const QuantizerSetup& setup);

} // namespace duo
