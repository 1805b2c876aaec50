// SPDX-License-Identifier: Apache-2.0
// Groups of points where some of these are gone.
#pragma once

#include "core/quantize/points/quantizer_setup.h"

#include <utility>

namespace duo {

/// Groups without the points that are not there, and without those that nobody is left in. O(members log points)
inline PointGroups remainingGroups(const PointGroups& groups, const FlatMap<PointId, QuantizationPoint>& points)
{
    PointGroups kept;
    for (const auto& [id, members] : groups) {
        std::vector<PointId> there;
        for (const PointId member : members) {
            if (points.contains(member))
                there.push_back(member);
        }
        if (!there.empty())
            kept.emplace(id, std::move(there));
    }
    return kept;
}

} // namespace duo
