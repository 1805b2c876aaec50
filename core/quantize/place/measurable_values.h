// SPDX-License-Identifier: Apache-2.0
// Measurable values: everything a quantizer may stand on, whatever the rules, the preset and the target, so that one
// calibration serves them all.
#pragma once

#include "core/model/model.h"

#include <map>
#include <string>
#include <vector>

namespace duo {

struct MeasurableValues {
    std::vector<std::string> names; // sorted; float32 as far as the model tells
    /// The axis of input channels where a convolution or a product with constant weights reads the value; negative:
    /// from the end.
    std::map<std::string, std::int64_t> channelAxes;
};

/// Values that quantizable operators read or give on any profile, without those inside what is computed as one
/// operator and inside blocks that always stay in float. A value that a reshaping operator passes on unchanged is
/// measured once, see measuredAs. O(nodes + uses), profile by profile.
MeasurableValues measurableValues(const Model& model);

/// The value with the same elements that measurableValues names: the one before reshaping operators.
std::string measuredAs(const Model& model, const std::string& value);

} // namespace duo
