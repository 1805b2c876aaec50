// SPDX-License-Identifier: Apache-2.0
// Two products of which the first is lost in int8: one channel of its input is large, and its weights hardly count it.
#pragma once

#include "tests/core/pipeline/normal_samples.h"
#include "tests/support/proto_builder.h"

#include <vector>

namespace duo::test {

inline constexpr float kOutlier = 3000; // times the others: the first of 64 channels of x [1, 64]

/// Of a product of that input [64, 16].
inline std::vector<float> outlierWeights(unsigned seed)
{
    std::vector<float> weights = normal(64 * 16, seed);
    for (std::size_t column = 0; column < 16; ++column)
        weights[column] /= kOutlier;
    return weights;
}

inline void addOutlierProducts(ProtoBuilder& model)
{
    model.input("x", {1, 64}).output("y", {1, 16});
    model.weight("W", {64, 16}, outlierWeights(1)).weight("V", {16, 16}, normal(256, 2, 0, 0.25F));
    model.node("MatMul", "/first/MatMul", {"x", "W"}, {"h"});
    model.node("Tanh", "/first/Tanh", {"h"}, {"t"});
    model.node("MatMul", "/second/MatMul", {"t", "V"}, {"y"});
}

} // namespace duo::test
