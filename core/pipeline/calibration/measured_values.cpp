// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/measured_values.h"

#include "core/model/value_address.h"

namespace duo {

const ValueStatistics* MeasuredValues::of(ValueId value) const
{
    if (!value.valid())
        return nullptr;
    auto found = m_statistics.values.find(addressOf(m_model, value));
    if (found == m_statistics.values.end())
        found = m_statistics.values.find(addressOf(m_model, m_shared.of(value)));
    return found == m_statistics.values.end() ? nullptr : &found->second;
}

} // namespace duo
