// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/storage_order.h"

#include "core/formats/file_formats.h"
#include "core/model/checkpoint.h"
#include "core/model/key_names.h"
#include "core/scope/facts/scope_facts.h"
#include "core/support/digits.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <vector>

namespace duo {
namespace {

/// Where a key is read first: the node, and the place among what that node reads. Unread keys come last.
struct FirstRead {
    std::size_t node = SIZE_MAX;
    std::size_t place = SIZE_MAX;
    auto operator<=>(const FirstRead&) const = default;
};

constexpr std::array<std::string_view, 5> kLeaves{
    "weight", "bias", "running_mean", "running_var", "num_batches_tracked"};

/// Shorter numbers are smaller; anything else by its characters.
auto nameRank(std::string_view atom)
{
    return std::pair(allDigits(atom) ? atom.size() : 0, atom);
}

/// One module, its keys and children.
struct Module {
    std::vector<std::int32_t> keys;
    std::vector<PathId> children; // those with keys in them or below
    FirstRead first; // of anything in it or below
    bool hasKeys = false; // in it or below
};

class ModuleWalk
{
public:
    ModuleWalk(const ScopeFacts& facts, const std::vector<FirstRead>& reads)
        : m_facts(facts)
        , m_reads(reads)
        , m_modules(facts.paths.size())
    {
        for (std::size_t k = 0; k < reads.size(); ++k) {
            Module& owner = m_modules[facts.parameters.keys[k].owner.index];
            owner.keys.push_back(static_cast<std::int32_t>(k));
            owner.first = std::min(owner.first, reads[k]);
            owner.hasKeys = true;
        }
        for (std::size_t p = m_modules.size(); p-- > 1;) { // parents have smaller numbers
            if (!m_modules[p].hasKeys)
                continue;
            Module& parent = m_modules[facts.paths.parent(PathId(p)).index];
            parent.children.emplace_back(p);
            parent.first = std::min(parent.first, m_modules[p].first);
            parent.hasKeys = true;
        }
    }

    std::vector<std::int32_t> keys()
    {
        std::vector<std::int32_t> result;
        std::vector<PathId> open{ModulePaths::root()};
        while (!open.empty()) {
            Module& next = m_modules[open.back().index];
            open.pop_back();
            sortKeys(next);
            sortChildren(next);
            result.insert(result.end(), next.keys.begin(), next.keys.end());
            open.insert(open.end(), next.children.rbegin(), next.children.rend());
        }
        return result;
    }

private:
    void sortKeys(Module& module) const
    {
        const auto leaf = [&](std::int32_t k) { return keyLeaf(m_facts.parameters.key(k).name); };
        const auto leafRank = [&](std::int32_t k) { return std::ranges::find(kLeaves, leaf(k)) - kLeaves.begin(); };
        std::ranges::sort(module.keys, {},
            [&](std::int32_t k) { return std::tuple(leafRank(k), m_reads[static_cast<std::size_t>(k)], leaf(k)); });
    }

    void sortChildren(Module& module) const
    {
        const auto atom = [&](PathId path) { return m_facts.paths.atom(path); };
        const bool areNumbered = std::ranges::all_of(module.children, allDigits, atom);
        std::ranges::sort(module.children, {}, [&](PathId child) {
            return std::pair(areNumbered ? FirstRead{} : m_modules[child.index].first, nameRank(atom(child)));
        });
    }

    const ScopeFacts& m_facts;
    const std::vector<FirstRead>& m_reads;
    std::vector<Module> m_modules; // [paths]
};

/// Whether nothing tells the definition order of the checkpoint's keys: its format sorts them by element type and name,
/// and the model has no list of its own.
bool isOrderLost(const ScopeFacts& facts, const Checkpoint* checkpoint)
{
    if (checkpoint == nullptr || !sortsKeys(checkpoint->format)
        || std::ranges::any_of(facts.parameters.keys, &Key::isRecorded))
        return false;
    std::map<ElementType, std::string_view> lastOf;
    for (const CheckpointKey& key : checkpoint->keys) {
        const Tensor& tensor = checkpoint->tensors[key.tensor];
        std::string_view& last = lastOf[tensor.type];
        if (key.name != tensor.name) // dropped for another key: these stand behind the others
            continue;
        if (key.name < last)
            return false;
        last = key.name;
    }
    return true;
}

/// All keys, those of a module before those of its children. Children that are numbered go by number; others, as
/// modules are mostly defined in the order they run in, by the first read of anything below, unread ones last and by
/// name. Known leaves go as PyTorch registers them (weight, bias, running_mean, running_var). O(keys * log keys).
std::vector<std::int32_t> definitionOrder(const ScopeFacts& facts, const std::vector<FirstRead>& reads)
{
    return ModuleWalk(facts, reads).keys();
}

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
