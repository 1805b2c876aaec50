// SPDX-License-Identifier: Apache-2.0
// ClampRange: what a Relu or Clip lets pass.
#pragma once

#include "core/model/model.h"

#include <limits>

namespace duo {

struct ClampRange {
    float low = -std::numeric_limits<float>::infinity();
    float high = std::numeric_limits<float>::infinity();

    /// That of both in a row.
    void narrow(const ClampRange& other);
};

/// Of a node marked as a clamp (op_facts.h). A bound that is no constant counts as none.
ClampRange clampRange(const Model& model, const Node& clamp);

} // namespace duo
