// SPDX-License-Identifier: Apache-2.0
// Measurable values: everything a quantizer may stand on, whatever the rules, the preset and the target, so that one
// calibration serves them all.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/settings.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

struct MeasurableValues {
    std::vector<std::string> names; // addresses, sorted; float32 as far as the model tells
    /// The axis of input channels where a convolution or a product with constant weights reads the value; negative:
    /// from the end.
    std::map<std::string, std::int64_t> channelAxes;
};

/// Values that quantizable operators read or give on any profile, without those inside what is computed as one
/// operator and inside blocks that always stay in float. Of values with the same elements one is measured, see
/// SharedMeasures; of one that a clamp alone reads, what is behind it. O(nodes + uses), profile by profile.
MeasurableValues measurableValues(const Model& model);

/// Which value is measured for another one that has the same elements in another shape or order (reshaping operators
/// lie between them): one whose channels matter, else the one before those operators. Built in O(nodes).
class SharedMeasures
{
public:
    explicit SharedMeasures(const Model& model);
    [[nodiscard]] ValueId of(ValueId value) const;
    /// Every value whose channels matter, with their axis.
    [[nodiscard]] const std::map<ValueId, std::int64_t>& channelAxes() const { return m_channelAxes; }

private:
    [[nodiscard]] ValueId origin(ValueId value) const;

    const Model& m_model;
    std::map<ValueId, std::int64_t> m_channelAxes;
    std::unordered_map<ValueId, ValueId> m_origins; // of what reshaping operators give: the value before them
    std::map<ValueId, ValueId> m_withChannels; // by origin: the first one whose channels matter
};

} // namespace duo
