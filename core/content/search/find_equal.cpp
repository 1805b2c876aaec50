// SPDX-License-Identifier: Apache-2.0
#include "core/content/search/find_equal.h"

#include "core/content/search/sum_index.h"
#include "core/content/values/arrangement.h"
#include "core/content/values/strided_compare.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <set>

namespace duo {
namespace {

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

/// Until it is trained a weight norm leaves its directions as they are: the values do not say that it went by.
bool areNormed(const ContentSearch& search, std::uint32_t stored)
{
    return std::ranges::all_of(
        search.stored.owners(stored), [&](std::uint32_t key) { return search.names.magnitudes(key).has_value(); });
}

void findBySum(const ContentSearch& search, const SumIndex& index, WantedSet& set)
{
    for (const std::uint32_t stored : index.find(*set.tensor, search.job)) {
        if (std::ranges::any_of(set.found, [&](const Derivation& known) { return known.parts.front() == stored; })
            || areNormed(search, stored))
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
    std::set<SizeKey> sizes;
    for (const WantedSet& set : sets) {
        if (!set.isSettled())
            sizes.emplace(set.tensor->type, set.tensor->elements());
    }
    DUO_TRY(index, SumIndex::of(search, sizes));
    return parallelFor(sets.size(), search.threads, search.job, [&](std::size_t i) {
        if (!sets[i].isSettled())
            findBySum(search, index, sets[i]);
        return success();
    });
}

} // namespace duo
