// SPDX-License-Identifier: Apache-2.0
// SizeNeeds: which sizes of its input the operators of a model ask for.
#pragma once

#include "core/model/model.h"

#include <vector>

namespace duo {

struct SizeNeeds {
    std::int64_t multiple = 1; // how much strides make it smaller before it is joined with something larger
    std::vector<std::int64_t> lengths; // a constant that it is added to, or a Gemm behind a Flatten, fits these only
    std::vector<std::int64_t> sides; // the same of both axes of a square picture
};

/// Of everything that an input of the main graph reaches, in the main graph and in bodies. O(nodes + uses).
SizeNeeds sizeNeeds(const Model& model, ValueId input);

} // namespace duo
