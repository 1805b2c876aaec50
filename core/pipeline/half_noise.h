// SPDX-License-Identifier: Apache-2.0
// HalfNoise: how far the outputs of a float model move where some of its nodes compute in 16 bits.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/transform/edit_list.h"

#include <vector>

namespace duo {

/// Holds some samples and what the model makes of them. The model must outlive it.
class HalfNoise
{
public:
    /// Runs the model on the first samples. @return BadData, EngineFailed, Cancelled
    static Result<HalfNoise> ofModel(const Model& model, const Dataset& dataset, int threads, const JobContext& job);

    /// Of the worst floating output: noise over signal, in power, over all samples; infinite where it is not finite.
    /// The result does not depend on threads. @return EngineFailed, Unsupported, Cancelled
    [[nodiscard]] Result<double> with(const EditList& edits, const JobContext& job) const;

private:
    HalfNoise(const Model& model, int threads);

    const Model& m_model;
    int m_threads;
    std::vector<std::string> m_outputs;
    std::vector<std::vector<HostTensor>> m_feeds; // [samples]
    std::vector<std::vector<HostTensor>> m_results; // [samples][outputs]
};

} // namespace duo
