// SPDX-License-Identifier: Apache-2.0
// The runtime a model is quantized for, and what that choice means, in a line.
#pragma once

#include "core/quantize/points/settings.h"

#include <QString>

namespace duo::ui {

/// What profile and settings come to (Target): types of activations, biases, where quantizers go.
QString targetSummary(const QuantizationSettings& settings);

} // namespace duo::ui
