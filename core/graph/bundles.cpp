// SPDX-License-Identifier: Apache-2.0
#include "core/graph/bundles.h"

#include "core/support/disjoint_sets.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

using Links = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::uint64_t mixed(std::uint64_t value)
{
    value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9U;
    value = (value ^ (value >> 27U)) * 0x94D049BB133111EBU;
    return value ^ (value >> 31U);
}

struct Look {
    std::uint64_t content = 0;
    std::uint64_t around = 0; // hubs that it reads and that read it
    std::size_t items = 0;
    auto operator<=>(const Look&) const = default;
};

} // namespace

std::vector<std::vector<std::uint32_t>> findBundles(
    std::span<const std::uint64_t> likeness, std::span<const std::pair<std::uint32_t, std::uint32_t>> links)
{
    Links distinct(links.begin(), links.end());
    std::ranges::sort(distinct);
    distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
    std::vector<std::size_t> neighbours(likeness.size(), 0);
    for (const auto& [from, to] : distinct) {
        ++neighbours[from];
        ++neighbours[to];
    }
    const auto isHub = [&](std::uint32_t item) { return neighbours[item] > kLeastBranches; };
    DisjointSets branches(likeness.size()); // items that hang together
    for (const auto& [from, to] : distinct) {
        if (!isHub(from) && !isHub(to))
            branches.join(from, to);
    }
    std::vector<Look> looks(likeness.size()); // by first item
    for (std::uint32_t item = 0; item < likeness.size(); ++item) {
        Look& look = looks[branches.of(item)];
        look.content += mixed(likeness[item]);
        ++look.items;
    }
    for (const auto& [from, to] : distinct) {
        if (isHub(from) && !isHub(to))
            looks[branches.of(to)].around += mixed(2ULL * from + 1);
        else if (!isHub(from) && isHub(to))
            looks[branches.of(from)].around += mixed(2ULL * to + 2);
    }
    std::map<Look, std::vector<std::uint32_t>> alike; // first items of branches
    for (std::uint32_t item = 0; item < likeness.size(); ++item) {
        if (branches.of(item) == item && !isHub(item))
            alike[looks[item]].push_back(item);
    }
    std::vector<std::uint32_t> bundleOf(likeness.size(), 0); // [items] of first ones, counted from 1; 0: none
    std::vector<std::vector<std::uint32_t>> firsts;
    for (auto& [look, found] : alike) {
        if (found.size() >= kLeastBranches)
            firsts.push_back(std::move(found));
    }
    std::ranges::sort(firsts);
    std::vector<std::vector<std::uint32_t>> bundles(firsts.size());
    for (std::uint32_t b = 0; b < firsts.size(); ++b) {
        for (const std::uint32_t first : firsts[b])
            bundleOf[first] = b + 1;
    }
    for (std::uint32_t item = 0; item < likeness.size(); ++item) {
        if (const std::uint32_t bundle = bundleOf[branches.of(item)]; bundle > 0)
            bundles[bundle - 1].push_back(item);
    }
    for (auto& bundle : bundles)
        std::ranges::stable_sort(bundle, {}, [&](std::uint32_t item) { return branches.of(item); });
    return bundles;
}

std::string bundleKey(const std::string& path, const std::vector<std::uint32_t>& bundle)
{
    return path + "//~" + std::to_string(bundle.front() + 1) + "-" + std::to_string(bundle.back() + 1);
}

bool isBundle(const std::string& key)
{
    const std::size_t mark = key.rfind("//~"); // of pages inside one, more follows
    return mark != std::string::npos && key.find('/', mark + 2) == std::string::npos;
}

} // namespace duo
