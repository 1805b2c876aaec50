// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/storage_order.h"

#include "core/scope/trees/definition_order.h"

#include <algorithm>
#include <numeric>

namespace duo {
namespace {

struct Placed {
    FirstRead read;
    StorageOrder::Item item;
};

/// Per key where it is read first; nodes the exporter made stand at the head of the list and do not count.
std::vector<FirstRead> firstReads(const ScopeFacts& facts)
{
    std::vector<FirstRead> first(facts.parameters.keys.size());
    for (std::size_t place = 0; place < facts.nodeOrder.sequence.size(); ++place) {
        const std::size_t n = facts.nodeOrder.sequence[place].index;
        if (!facts.frames[n].isScoped && facts.namesScopes)
            continue;
        const auto& reads = facts.parameters.reads[n];
        for (std::size_t i = 0; i < reads.size(); ++i) {
            if (reads[i].key != kNoKey)
                first[static_cast<std::size_t>(reads[i].key)]
                    = std::min(first[static_cast<std::size_t>(reads[i].key)], FirstRead{place, i});
        }
    }
    return first;
}

std::vector<std::int32_t> asListed(std::size_t count)
{
    std::vector<std::int32_t> keys(count);
    std::iota(keys.begin(), keys.end(), 0);
    return keys;
}

} // namespace

StorageOrder storageOrder(const ScopeFacts& facts, const Checkpoint* checkpoint)
{
    const Parameters& parameters = facts.parameters;
    const std::vector<FirstRead> reads = firstReads(facts);
    std::vector<Placed> fixed;
    std::vector<Placed> floating;
    std::vector<bool> isOwner(facts.paths.size(), false);
    const bool isLost = isOrderLost(facts, checkpoint);
    for (const std::int32_t k : isLost ? definitionOrder(facts, reads) : asListed(reads.size())) {
        const Key& key = parameters.key(k);
        const Placed placed{reads[static_cast<std::size_t>(k)], {k, key.owner}};
        (isLost || key.isListed || key.isInitializer ? fixed : floating).push_back(placed);
        isOwner[key.owner.index] = true;
    }
    for (std::size_t place = 0; place < facts.nodeOrder.sequence.size(); ++place) {
        const std::size_t n = facts.nodeOrder.sequence[place].index;
        if (!facts.frames[n].isScoped && facts.namesScopes)
            continue;
        for (const ParameterRead& read : parameters.reads[n]) {
            if (read.key != kNoKey || !read.owner.valid() || isOwner[read.owner.index])
                continue;
            isOwner[read.owner.index] = true;
            floating.push_back({{place, 0}, {kNoKey, read.owner}});
        }
    }
    std::stable_sort(
        floating.begin(), floating.end(), [](const Placed& a, const Placed& b) { return a.read < b.read; });

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
        const bool isRead = placed.read != FirstRead{};
        for (; isRead && next != floating.end() && next->read.node < placed.read.node; ++next)
            emit(*next);
        emit(placed);
    }
    std::for_each(next, floating.end(), emit);
    return order;
}

} // namespace duo
