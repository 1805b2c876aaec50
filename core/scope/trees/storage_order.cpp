// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/storage_order.h"

#include <algorithm>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::size_t kUnread = static_cast<std::size_t>(-1);

struct Placed {
    std::size_t position = kUnread; // first node that reads it
    StorageOrder::Item item;
};

/// Per key the first node that reads it; nodes the exporter made stand at the head of the list and do not count.
std::vector<std::size_t> firstReaders(const ScopeFacts& facts)
{
    std::vector<std::size_t> first(facts.parameters.keys.size(), kUnread);
    for (std::size_t n = facts.frames.size(); n-- > 0;) {
        for (const ParameterRead& read : facts.parameters.reads[n]) {
            if (read.key != kNoKey && (facts.frames[n].isScoped || !facts.namesScopes))
                first[static_cast<std::size_t>(read.key)] = n;
        }
    }
    return first;
}

} // namespace

StorageOrder storageOrder(const ScopeFacts& facts)
{
    const Parameters& parameters = facts.parameters;
    const std::vector<std::size_t> readers = firstReaders(facts);
    std::vector<Placed> fixed;
    std::vector<Placed> floating;
    std::unordered_set<PathId> owners;
    for (std::size_t k = 0; k < parameters.keys.size(); ++k) {
        const Key& key = parameters.keys[k];
        const Placed placed{readers[k], {static_cast<std::int32_t>(k), key.owner}};
        (key.isListed || key.tensor.valid() ? fixed : floating).push_back(placed);
        owners.insert(key.owner);
    }
    for (std::size_t n = 0; n < parameters.reads.size(); ++n) {
        if (!facts.frames[n].isScoped && facts.namesScopes)
            continue;
        for (const ParameterRead& read : parameters.reads[n]) {
            if (read.key == kNoKey && read.owner.valid() && owners.insert(read.owner).second)
                floating.push_back({n, {kNoKey, read.owner}});
        }
    }
    std::stable_sort(
        floating.begin(), floating.end(), [](const Placed& a, const Placed& b) { return a.position < b.position; });

    StorageOrder order;
    order.keyRank.assign(parameters.keys.size(), 0);
    std::int32_t rank = 0;
    const auto emit = [&](const Placed& placed) {
        order.items.push_back(placed.item);
        if (placed.item.key != kNoKey)
            order.keyRank[static_cast<std::size_t>(placed.item.key)] = rank++;
    };
    auto next = floating.begin();
    for (const Placed& placed : fixed) {
        for (; placed.position != kUnread && next != floating.end() && next->position < placed.position; ++next)
            emit(*next);
        emit(placed);
    }
    std::for_each(next, floating.end(), emit);
    return order;
}

} // namespace duo
