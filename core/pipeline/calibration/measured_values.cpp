// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/measured_values.h"

namespace duo {

const ValueStatistics* MeasuredValues::of(ValueId value) const
{
    if (!value.valid())
        return nullptr;
    auto found = m_statistics.values.find(m_model.value(value).name);
    if (found == m_statistics.values.end())
        found = m_statistics.values.find(m_model.value(m_shared.of(value)).name);
    return found == m_statistics.values.end() ? nullptr : &found->second;
}

} // namespace duo
