// SPDX-License-Identifier: Apache-2.0
// Statistics in the form in which ONNX Runtime's quantizer keeps its calibration, so that it need not measure again.
#pragma once

#include "core/calibrate/measure/statistics.h"
#include "core/interchange/encodings.h"

namespace duo {

/// The extremes of every value that was measured, of those with the same elements, of Constant nodes, and of what
/// constants give; of a value that a clamp alone reads, those behind it. `without` are the others, whose ranges ONNX
/// Runtime's quantizer may ask for. O(values + elements of Constant nodes + weights behind other nodes).
/// @param form of ranges (isOfRanges)
EncodingsText ortCalibrationOf(const Model& model, const Statistics& statistics, EncodingForm form);

} // namespace duo
