// SPDX-License-Identifier: Apache-2.0
// isSame: whether two measurements came to the same.
#pragma once

#include "core/calibrate/measure/statistics.h"

namespace duo::test {

/// Remarks apart: they say how it was measured.
inline bool isSame(const Statistics& one, const Statistics& other)
{
    return one.spans == other.spans && one.kinds == other.kinds && one.values == other.values;
}

} // namespace duo::test
