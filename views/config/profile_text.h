// SPDX-License-Identifier: Apache-2.0
// The runtime a model is quantized for, and what that choice means, in a line.
#pragma once

#include "core/quantize/points/settings.h"

#include <QString>

namespace duo::ui {

/// What a profile decides: types of activations, biases, where quantizers go. From its rules (profile_rules.h).
QString profileSummary(Profile profile);

} // namespace duo::ui
