// SPDX-License-Identifier: Apache-2.0
// Noise flow: what the noise of all quantizers comes to at the outputs of a model, from statistics and weights alone.
#pragma once

#include "core/pipeline/calibration/measured_values.h"
#include "core/pipeline/forecast/weight_errors.h"
#include "core/quantize/quantizer_setup.h"
#include "core/report/forecast/forecast.h"

#include <map>
#include <vector>

namespace duo {

/// What each activation quantizer adds.
using AddedNoise = std::map<PointId, RangeFit>;

/// Noise of rounding is taken for independent of the signal and from element to element, so powers add up: a product
/// with a constant multiplies the noise of its input by the sum of squared weights and adds the weights' own error
/// times the input's power; sums add; means divide by the number of elements; a Relu passes the share of elements that
/// are positive; Softmax passes its logits' noise in proportion; other operators keep the ratio of noise to signal.
/// Noise of clipping is neither independent nor does all of it go with the signal: the geometric mean of both is taken,
/// which was nearest to exports. The power of a value is what was measured, else follows from its inputs. O(nodes +
/// uses).
std::vector<OutputForecast> outputForecasts(const Model& model, const QuantizerSetup& setup,
    const MeasuredValues& measured, const WeightErrors& weights, const AddedNoise& noise);

} // namespace duo
