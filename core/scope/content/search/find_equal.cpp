// SPDX-License-Identifier: Apache-2.0
#include "core/scope/content/search/find_equal.h"

#include "core/scope/content/values/arrangement.h"
#include "core/scope/content/values/order_free_sum.h"
#include "core/scope/content/values/strided_compare.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace duo {
namespace {

constexpr std::size_t kMostTried = 64; // sets with one sum; more are made to collide

Derivation derivationOf(const Arrangement& arrangement, std::uint32_t stored, bool tells)
{
    Derivation derivation;
    derivation.kind = arrangement.kind;
    derivation.transform.axes = arrangement.axes;
    derivation.parts = {stored};
    derivation.tells = tells;
    return derivation;
}

/// Sets that the names of a wanted set lead to and that hold its very bytes in its shape.
void findByName(const ContentSearch& search, WantedSet& set)
{
    std::set<std::uint32_t> tried;
    for (const std::uint32_t read : set.reads) {
        for (const std::string_view name : namesOf(search.model, search.wanted.reads[read])) {
            const auto key = search.names.find(name);
            const auto stored = key ? search.stored.setOf(*key) : std::nullopt;
            if (!stored || !tried.insert(*stored).second)
                continue;
            const Tensor& tensor = search.stored.tensor(*stored);
            if (tensor.type == set.tensor->type && tensor.dims == set.tensor->dims
                && equalBytes(tensor.bytes(), set.tensor->bytes(), search.job))
                set.found.push_back(derivationOf({}, *stored, set.tells));
        }
    }
}

bool isSettled(const WantedSet& set)
{
    return set.tells && !set.found.empty();
}

/// Sums of tensors, each computed once, by several threads.
class SumIndex
{
public:
    using SizeKey = std::pair<ElementType, std::int64_t>;

    /// Sums of all stored sets of the type and size of an open wanted one.
    static Result<SumIndex> of(const ContentSearch& search)
    {
        std::set<SizeKey> sizes;
        for (const WantedSet& set : search.wanted.sets) {
            if (!isSettled(set))
                sizes.emplace(set.tensor->type, set.tensor->elements());
        }
        SumIndex index;
        std::vector<std::uint32_t> stored;
        for (const auto& [type, elements] : sizes) {
            const auto sets = search.stored.ofSize(type, elements);
            stored.insert(stored.end(), sets.begin(), sets.end());
        }
        std::vector<std::uint64_t> sums(stored.size());
        DUO_CHECK(parallelFor(stored.size(), search.threads, search.job, [&](std::size_t i) {
            sums[i] = sumOf(search.stored.tensor(stored[i]), search.job);
            return success();
        }));
        for (std::size_t i = 0; i < stored.size(); ++i) {
            const Tensor& tensor = search.stored.tensor(stored[i]);
            index.m_sets[{tensor.type, tensor.elements()}][sums[i]].push_back(stored[i]);
        }
        return index;
    }

    /// Null if no stored tensor has these elements.
    [[nodiscard]] const std::vector<std::uint32_t>* find(const Tensor& tensor, const JobContext& job) const
    {
        const auto sums = m_sets.find({tensor.type, tensor.elements()});
        if (sums == m_sets.end())
            return nullptr;
        const auto found = sums->second.find(sumOf(tensor, job));
        return found == sums->second.end() ? nullptr : &found->second;
    }

private:
    static std::uint64_t sumOf(const Tensor& tensor, const JobContext& job)
    {
        return orderFreeSum(tensor.bytes(), std::max(elementBytes(tensor.type), 1), job);
    }

    std::map<SizeKey, std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>> m_sets;
};

void findBySum(const ContentSearch& search, const SumIndex& index, WantedSet& set)
{
    const auto* candidates = index.find(*set.tensor, search.job);
    if (candidates == nullptr)
        return;
    const std::size_t count = std::min(candidates->size(), kMostTried);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t stored = (*candidates)[i];
        if (std::ranges::any_of(set.found, [&](const Derivation& known) { return known.parts.front() == stored; }))
            continue;
        if (const auto found = findArrangement(search.stored.tensor(stored), *set.tensor, search.job))
            set.found.push_back(derivationOf(*found, stored, set.tells));
    }
}

} // namespace

Status findEqualInPlace(ContentSearch& search)
{
    auto& sets = search.wanted.sets;
    DUO_CHECK(parallelFor(sets.size(), search.threads, search.job, [&](std::size_t i) {
        findByName(search, sets[i]);
        return success();
    }));
    DUO_TRY(index, SumIndex::of(search));
    return parallelFor(sets.size(), search.threads, search.job, [&](std::size_t i) {
        if (!isSettled(sets[i]))
            findBySum(search, index, sets[i]);
        return success();
    });
}

} // namespace duo
