// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/left_in_float.h"

#include "core/quantize/points/compressed.h"

#include <algorithm>

namespace duo {

std::size_t leftInFloatBy(std::size_t rule, const RuleHits& hits, const Placement* placement, const Placement* unruled)
{
    const auto isTarget = [](const RuleHit& hit) { return hit.rule.enabled && hit.rule.action == RuleAction::Target; };
    const auto present = hits.hits.begin() + static_cast<std::ptrdiff_t>(rule);
    if (placement == nullptr || unruled == nullptr || !isTarget(*present)
        || std::find_if(hits.hits.begin(), present, isTarget) != present)
        return 0;
    std::size_t count = 0;
    for (std::size_t n = 0; n < hits.targeted.size(); ++n) {
        const NodeId with = unruled->decisions[n].fusedWith; // whose rules decide for both
        const std::size_t decides = with.valid() ? with.index : n;
        const bool isLeft = !hits.targeted[decides] && hits.ignoredBy[decides] == RuleHits::kNoRule;
        count += isLeft && isCompressed(unruled->decisions[n].state) && !isCompressed(placement->decisions[n].state);
    }
    return count;
}

} // namespace duo
