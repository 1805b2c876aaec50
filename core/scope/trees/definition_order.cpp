// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/definition_order.h"

#include "core/model/key_names.h"
#include "core/support/digits.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <tuple>

namespace duo {
namespace {

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

} // namespace

bool isOrderLost(const ScopeFacts& facts, const Checkpoint* checkpoint)
{
    if (checkpoint == nullptr || checkpoint->format != "safetensors"
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

std::vector<std::int32_t> definitionOrder(const ScopeFacts& facts, const std::vector<FirstRead>& reads)
{
    return ModuleWalk(facts, reads).keys();
}

} // namespace duo
