// SPDX-License-Identifier: Apache-2.0
#include "core/content/equal_sets.h"

#include "core/content/strided_compare.h"
#include "core/support/parallel.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>

namespace duo {
namespace {

constexpr std::size_t kSampleBytes = 256;
constexpr std::size_t kSamples = 16;
constexpr std::size_t kMostRepresentatives = 8; // a file with more look-alikes was made to have them

std::uint64_t sampleHash(const Tensor& tensor)
{
    const auto bytes = tensor.bytes();
    std::uint64_t hash
        = XXH3_64bits_withSeed(tensor.dims.data(), tensor.dims.size() * sizeof(tensor.dims[0]), bytes.size());
    hash ^= static_cast<std::uint64_t>(tensor.type);
    const std::size_t step = bytes.size() / kSamples;
    if (step <= kSampleBytes)
        return XXH3_64bits_withSeed(bytes.data(), bytes.size(), hash);
    for (std::size_t i = 0; i < kSamples; ++i)
        hash = XXH3_64bits_withSeed(bytes.data() + i * step, kSampleBytes, hash);
    return XXH3_64bits_withSeed(bytes.data() + bytes.size() - kSampleBytes, kSampleBytes, hash);
}

/// The first of each set, for the tensors of one sample hash.
void splitGroup(std::span<const Tensor* const> tensors, const std::vector<std::uint32_t>& group,
    std::vector<std::uint32_t>& firstOf, const JobContext& job)
{
    std::vector<std::uint32_t> firsts;
    for (const std::uint32_t index : group) {
        const Tensor& tensor = *tensors[index];
        const auto same = std::ranges::find_if(firsts, [&](std::uint32_t first) {
            const Tensor& other = *tensors[first];
            return other.type == tensor.type && other.dims == tensor.dims
                && equalBytes(other.bytes(), tensor.bytes(), job);
        });
        firstOf[index] = same == firsts.end() ? index : *same;
        if (same == firsts.end() && firsts.size() < kMostRepresentatives)
            firsts.push_back(index);
    }
}

EqualSets numbered(const std::vector<std::uint32_t>& firstOf)
{
    EqualSets sets;
    sets.setOf.resize(firstOf.size());
    for (std::uint32_t i = 0; i < firstOf.size(); ++i) {
        if (firstOf[i] == i) {
            sets.setOf[i] = static_cast<std::uint32_t>(sets.members.size());
            sets.members.emplace_back();
        }
        sets.setOf[i] = sets.setOf[firstOf[i]];
        sets.members[sets.setOf[i]].push_back(i);
    }
    return sets;
}

} // namespace

Result<EqualSets> equalSets(std::span<const Tensor* const> tensors, const JobContext& job, int threads)
{
    std::vector<std::uint64_t> hashes(tensors.size(), 0);
    DUO_CHECK(parallelFor(tensors.size(), threads, job, [&](std::size_t i) {
        if (tensors[i] != nullptr)
            hashes[i] = sampleHash(*tensors[i]);
        return success();
    }));
    std::map<std::uint64_t, std::vector<std::uint32_t>> byHash;
    for (std::uint32_t i = 0; i < tensors.size(); ++i) {
        if (tensors[i] != nullptr)
            byHash[hashes[i]].push_back(i);
    }
    std::vector<std::vector<std::uint32_t>> groups;
    for (auto& [hash, group] : byHash) {
        if (group.size() > 1)
            groups.push_back(std::move(group));
    }
    std::vector<std::uint32_t> firstOf(tensors.size());
    std::iota(firstOf.begin(), firstOf.end(), 0U);
    DUO_CHECK(parallelFor(groups.size(), threads, job, [&](std::size_t g) {
        splitGroup(tensors, groups[g], firstOf, job);
        return success();
    }));
    return numbered(firstOf);
}

} // namespace duo
