// SPDX-License-Identifier: Apache-2.0
#include "core/content/batch_norms.h"

#include "core/content/float_values.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

const Tensor& tensorOf(const Checkpoint& checkpoint, std::uint32_t key)
{
    return checkpoint.tensors[checkpoint.keys[key].tensor];
}

std::vector<float> floatsOf(
    const Checkpoint& checkpoint, std::optional<std::uint32_t> key, std::size_t count, float other)
{
    std::vector<float> values(count, other);
    if (key)
        readFloats(tensorOf(checkpoint, *key), 0, values);
    return values;
}

} // namespace

BatchNorms::BatchNorms(const Checkpoint& checkpoint, const NamedKeys& names, const StoredTensors& stored)
    : m_checkpoint(checkpoint)
{
    for (std::uint32_t key = 0; key < checkpoint.keys.size(); ++key) {
        const auto isVector = [&](std::optional<std::uint32_t> other, std::int64_t count) {
            return other && stored.setOf(*other) && isConvertible(tensorOf(checkpoint, *other).type)
                && tensorOf(checkpoint, *other).elements() == count;
        };
        if (names.leaf(key) != "running_var" || !stored.setOf(key))
            continue;
        const std::int64_t count = tensorOf(checkpoint, key).elements();
        const auto mean = names.sibling(key, "running_mean");
        if (!isVector(key, count) || !isVector(mean, count))
            continue;
        BatchNormKeys norm{names.sibling(key, "weight"), names.sibling(key, "bias"), *mean, key};
        if (!isVector(norm.weight, count))
            norm.weight.reset();
        if (!isVector(norm.bias, count))
            norm.bias.reset();
        m_bySize[count].push_back(static_cast<std::uint32_t>(m_norms.size()));
        m_norms.push_back(norm);
    }
}

BatchNormValues BatchNorms::values(std::uint32_t norm) const
{
    const BatchNormKeys& own = m_norms[norm];
    const auto count = static_cast<std::size_t>(tensorOf(m_checkpoint, own.variance).elements());
    return {floatsOf(m_checkpoint, own.weight, count, 1), floatsOf(m_checkpoint, own.bias, count, 0),
        floatsOf(m_checkpoint, own.mean, count, 0), floatsOf(m_checkpoint, own.variance, count, 1)};
}

const BatchNorms::Order& BatchNorms::order(std::int64_t channels, std::size_t channel) const
{
    const std::lock_guard lock(m_mutex);
    const auto [entry, isNew] = m_orders.try_emplace({channels, channel});
    const auto norms = m_bySize.find(channels);
    if (!isNew || norms == m_bySize.end())
        return entry->second;
    for (const std::uint32_t norm : norms->second) {
        const BatchNormKeys& own = m_norms[norm];
        const double gamma = own.weight ? floatAt(tensorOf(m_checkpoint, *own.weight), channel) : 1.0;
        const double variance = floatAt(tensorOf(m_checkpoint, own.variance), channel);
        for (const double epsilon : kEpsilons) {
            const double factor = gamma / std::sqrt(variance + epsilon);
            if (std::isfinite(factor))
                entry->second.push_back({norm, epsilon, factor});
        }
    }
    std::ranges::stable_sort(entry->second, {}, &Candidate::factor);
    return entry->second;
}

std::vector<BatchNorms::Candidate> BatchNorms::nearFactor(
    std::int64_t channels, std::size_t channel, double factor, double tolerance, std::uint32_t nearKey) const
{
    const Order& all = order(channels, channel); // never changes once made; map nodes stay where they are
    const double margin = std::abs(factor) * tolerance;
    const auto first = std::ranges::lower_bound(all, factor - margin, {}, &Candidate::factor);
    const auto last = std::ranges::upper_bound(all, factor + margin, {}, &Candidate::factor);
    constexpr std::ptrdiff_t kMostSorted = 16384; // norms of one factor; a file with more was made to have them
    std::vector<Candidate> result(first, first + std::min(last - first, kMostSorted));
    if (result.size() <= kMostTried)
        return result;
    const auto distance = [&](const Candidate& candidate) {
        const std::uint32_t key = m_norms[candidate.norm].variance;
        return key > nearKey ? key - nearKey : nearKey - key;
    };
    std::ranges::stable_sort(result, {}, distance);
    result.resize(kMostTried);
    return result;
}

} // namespace duo
