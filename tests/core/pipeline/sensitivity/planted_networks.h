// SPDX-License-Identifier: Apache-2.0
// Small networks of which a part cannot be quantized well.
#pragma once

#include "core/pipeline/sensitivity/measure_sensitivity.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"

#include <string>
#include <vector>

namespace duo::test {

/// x -> /first/conv -> /bad/conv -> /last/conv -> y, of four channels each; /bad reads its first channel, which is all
/// but zero, with weights so large that the others are lost in their rounding.
inline ProtoBuilder& addPlantedChain(ProtoBuilder& model, bool reversed = false)
{
    model.input("x", {1, 4, 8, 8}).output("y", {1, 4, 8, 8});
    std::vector<float> first = normal(16, 1);
    for (std::size_t i = 0; i < 4; ++i)
        first[i] *= 1e-4F; // the channel that is all but zero
    std::vector<float> bad = normal(16, 2);
    for (std::size_t o = 0; o < 4; ++o)
        bad[o * 4] = 500;
    model.weight("first.weight", {4, 4, 1, 1}, first)
        .weight("bad.weight", {4, 4, 1, 1}, bad)
        .weight("last.weight", {4, 4, 1, 1}, normal(16, 3));
    struct Line {
        const char* name;
        const char* in;
        const char* weight;
        const char* out;
    };
    std::vector<Line> lines{{"/first/conv", "x", "first.weight", "h1"}, {"/bad/conv", "h1", "bad.weight", "h2"},
        {"/last/conv", "h2", "last.weight", "y"}};
    if (reversed)
        lines = {lines[2], lines[1], lines[0]};
    for (const Line& line : lines)
        model.node("Conv", line.name, {line.in, line.weight}, {line.out});
    return model;
}

inline std::vector<std::vector<float>> plantedSamples()
{
    return normalSamples(8, std::size_t{4} * 8 * 8, 100);
}

/// Of the last quantization of a case.
inline Result<SensitivityReport> sensitivityOf(
    const QuantizedCase& model, const SensitivityOptions& options = {}, const JobContext& job = {}, int threads = 2)
{
    return measureSensitivity(model.planned(), model.compression(), model.data(),
        recalibration(model.compression(), {.dataset = &model.data()}, threads, job), options, threads, job);
}

} // namespace duo::test
