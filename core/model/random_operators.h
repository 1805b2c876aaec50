// SPDX-License-Identifier: Apache-2.0
// Operators that give other numbers each time they run.
#pragma once

#include "core/support/one_of.h"

#include <string_view>

namespace duo {

/// Of ONNX and of ONNX Runtime. A Dropout is one as well, but in training only.
constexpr bool isRandomOperator(std::string_view opType)
{
    return isOneOf(opType,
        {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
            "Sampling"});
}

} // namespace duo
