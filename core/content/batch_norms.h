// SPDX-License-Identifier: Apache-2.0
// BatchNorms: the batch norms of a checkpoint, found by the factor they would put on a channel.
#pragma once

#include "core/content/named_keys.h"
#include "core/content/stored_tensors.h"

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace duo {

/// Keys of one batch norm: a module with running_mean and running_var of C floats; without weight and bias if not
/// affine.
struct BatchNormKeys {
    std::optional<std::uint32_t> weight;
    std::optional<std::uint32_t> bias;
    std::uint32_t mean = 0;
    std::uint32_t variance = 0;
};

/// Its values, [C] each: gamma 1 and beta 0 where it is not affine.
struct BatchNormValues {
    std::vector<float> gamma;
    std::vector<float> beta;
    std::vector<float> mean;
    std::vector<float> variance;
};

/// A checkpoint does not hold epsilon: PyTorch's default, Keras's and Inception's, and others seen in published models.
constexpr std::array<double, 5> kEpsilons{1e-5, 1e-3, 1e-6, 1e-4, 1e-12};

class BatchNorms
{
public:
    BatchNorms(const Checkpoint& checkpoint, const NamedKeys& names, const StoredTensors& stored);

    [[nodiscard]] const BatchNormKeys& keys(std::uint32_t norm) const { return m_norms[norm]; }
    [[nodiscard]] BatchNormValues values(std::uint32_t norm) const;

    /// A batch norm with an epsilon for which gamma / sqrt(variance + epsilon) is near a factor.
    struct Candidate {
        std::uint32_t norm = 0;
        double epsilon = 0;
        double factor = 0;
    };
    /// Those of C channels whose factor on `channel` is within `tolerance` (relative), nearest keys first where many
    /// have the same; at most kMostTried. May be called by several threads.
    [[nodiscard]] std::vector<Candidate> nearFactor(
        std::int64_t channels, std::size_t channel, double factor, double tolerance, std::uint32_t nearKey) const;

    static constexpr std::size_t kMostTried = 64;

private:
    using Order = std::vector<Candidate>; // ascending by factor, then norm

    const Order& order(std::int64_t channels, std::size_t channel) const;

    const Checkpoint& m_checkpoint;
    std::vector<BatchNormKeys> m_norms; // in definition order
    std::map<std::int64_t, std::vector<std::uint32_t>> m_bySize;
    mutable std::mutex m_mutex; // guards m_orders
    mutable std::map<std::pair<std::int64_t, std::size_t>, Order> m_orders;
};

} // namespace duo
