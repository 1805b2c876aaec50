// SPDX-License-Identifier: Apache-2.0
// Top-1: how often the largest element of an output is the labelled class, in two models.
#pragma once

#include "core/engine/session.h"

#include <cstdint>
#include <string>
#include <vector>

namespace duo {

/// Fractions in 0..1.
struct Top1 {
    double a = 0;
    double b = 0;
    double agreement = 0; // both models say the same class
    bool isChance = false; // A is right no more often than if its answers had nothing to do with the labels
    std::int64_t samples = 0; // labelled predictions
    std::int64_t unused = 0; // labels at the end without a prediction
};

/// Takes predictions sample by sample, from several threads.
class Top1Count
{
public:
    /// @return BadData if the labels are not integers
    static Result<Top1Count> start(const HostTensor& labels, std::int64_t samples);
    /// Largest element along the last axis, the first of equal ones; of whole numbers every element is a class.
    Status add(std::int64_t sample, const TensorView& a, const TensorView& b);
    /// Labels belong to predictions in sample order; as many as one sample has may be left over at the end.
    /// @return BadData if there are more or fewer
    [[nodiscard]] Result<Top1> finish() const;

private:
    struct Classes {
        std::vector<std::int64_t> a;
        std::vector<std::int64_t> b;
    };
    std::string m_name;
    std::vector<std::int64_t> m_labels;
    std::vector<Classes> m_bySample;
    std::int64_t m_classes = 0; // of the first sample; 0: not known
};

} // namespace duo
