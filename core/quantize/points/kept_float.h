// SPDX-License-Identifier: Apache-2.0
// KeptFloat: why a node that was to be quantized stays in float after all: its values have no range, or the engine has
// no int8 kernel for it where it stands.
#pragma once

#include "core/quantize/points/decision.h"

#include <map>
#include <string>

namespace duo {

struct KeptFloat {
    std::string reason;
    std::string counterfactual;
    ReasonKind kind = ReasonKind::Profile;
    bool operator==(const KeptFloat&) const = default;
};

using KeptFloats = std::map<NodeId, KeptFloat>;

} // namespace duo
