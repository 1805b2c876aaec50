// SPDX-License-Identifier: Apache-2.0
// MeasuredValues: what statistics hold of a value, also where it was measured under the name of another one with the
// same elements.
#pragma once

#include "core/calibrate/measure/statistics.h"
#include "core/quantize/profiles/measurable_values.h"

namespace duo {

/// Both arguments must outlive it. Built in O(nodes).
class MeasuredValues
{
public:
    MeasuredValues(const Model& model, const Statistics& statistics)
        : m_model(model)
        , m_statistics(statistics)
        , m_shared(model)
    {
    }

    /// Its own, else those of the value measured for it (SharedMeasures); null where there are none.
    [[nodiscard]] const ValueStatistics* of(ValueId value) const;
    [[nodiscard]] const Statistics& statistics() const { return m_statistics; }

private:
    const Model& m_model;
    const Statistics& m_statistics;
    SharedMeasures m_shared;
};

} // namespace duo
