// SPDX-License-Identifier: Apache-2.0
// A digest of the ranges that activations were quantized from.
#pragma once

#include "core/calibrate/measure/statistics.h"
#include "core/model/model.h"
#include "core/quantize/points/quantizer_setup.h"

#include <string>

namespace duo {

/// "xxh3-128:" and 32 hex digits of the elements, extremes and means of all values that quantizers of activations stand
/// on; whatever else was measured does not count. O(points + nodes).
std::string rangesDigest(const Model& model, const QuantizerSetup& setup, const Statistics& statistics);

} // namespace duo
