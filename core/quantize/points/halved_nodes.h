// SPDX-License-Identifier: Apache-2.0
// HalvedNodes: what computes in floats of 16 bits beside codes.
#pragma once

#include "core/model/element_type.h"
#include "core/model/model.h"

#include <string_view>
#include <vector>

namespace duo {

inline constexpr std::string_view kHalvesKey = "half"; // in JSON

struct HalvedNodes {
    ElementType type = ElementType::Float16;
    std::vector<NodeId> nodes; // in the order of the file, of one model
    bool operator==(const HalvedNodes&) const = default;
};

} // namespace duo
