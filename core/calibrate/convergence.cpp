// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/convergence.h"

#include <algorithm>
#include <cmath>

namespace duo {

void Convergence::addRound(std::span<const RoundExtremes> values)
{
    bool isQuiet = true;
    for (std::size_t i = 0; i < m_seen.size(); ++i) {
        Seen& seen = m_seen[i];
        for (std::size_t sample = 0; sample < values[i].min.size(); ++sample) {
            if (values[i].min[sample] > values[i].max[sample])
                continue;
            seen.min += std::min(values[i].min[sample], 0.0F); // a range holds zero
            seen.max += std::max(values[i].max[sample], 0.0F);
            ++seen.samples;
        }
        const double width = seen.samples == 0 ? 0 : (seen.max - seen.min) / static_cast<double>(seen.samples);
        isQuiet = isQuiet && std::abs(width - seen.width) <= kLimit * width;
        seen.width = width;
    }
    m_quiet = isQuiet ? m_quiet + 1 : 0;
}

} // namespace duo
