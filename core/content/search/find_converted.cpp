// SPDX-License-Identifier: Apache-2.0
#include "core/content/search/find_converted.h"

#include "core/content/search/sum_index.h"
#include "core/content/values/arrangement.h"
#include "core/content/values/float_values.h"
#include "core/support/parallel.h"

namespace duo {
namespace {

void findOne(const ContentSearch& search, const SumIndex& index, WantedSet& set)
{
    const ElementType type = set.tensor->type;
    for (const std::uint32_t stored : index.find(*set.tensor, search.job)) {
        const Tensor& tensor = search.stored.tensor(stored);
        const auto arrangement = findArrangement(convertedTensor(tensor, type), *set.tensor, search.job);
        if (!arrangement)
            continue;
        const bool isWider = elementBits(type) > elementBits(tensor.type);
        Derivation derivation;
        derivation.kind = MatchKind::Converted;
        derivation.transform.axes = arrangement->axes;
        derivation.parts = {stored};
        derivation.tells = set.tells;
        derivation.how = (isWider ? "widened to " : "rounded to ") + std::string(elementTypeName(type)) + " from";
        set.found.push_back(std::move(derivation));
    }
}

} // namespace

Status findConvertedInPlace(ContentSearch& search)
{
    std::set<SizeKey> sizes;
    for (const WantedSet& set : search.wanted.sets) {
        if (set.found.empty() && isConvertible(set.tensor->type))
            sizes.emplace(set.tensor->type, set.tensor->elements());
    }
    DUO_TRY(index, SumIndex::ofConverted(search, sizes));
    auto& sets = search.wanted.sets;
    return parallelFor(sets.size(), search.threads, search.job, [&](std::size_t i) {
        if (sets[i].found.empty() && isConvertible(sets[i].tensor->type))
            findOne(search, index, sets[i]);
        return success();
    });
}

} // namespace duo
