// SPDX-License-Identifier: Apache-2.0
// Bundles: branches of one kind that stand side by side, between what they all read and what reads them all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duo {

/// What makes a bundle: at least that many branches.
inline constexpr std::size_t kLeastBranches = 9;

/// Items of a scope, in topological order, that are alike: each inner list is a bundle, branch after branch, each of
/// them in topological order. Bundles come in the order of their first items.
/// An item with more than kLeastBranches neighbours parts the branches and belongs to none.
/// @param likeness [items] equal for items of equal content
/// @param links from and to of values inside, each `from` before its `to`
/// O(items + links * log).
std::vector<std::vector<std::uint32_t>> findBundles(
    std::span<const std::uint64_t> likeness, std::span<const std::pair<std::uint32_t, std::uint32_t>> links);

/// Keys of groups in a containment: "<path>//~<first>-<last>", by item of the scope, is a bundle.
std::string bundleKey(const std::string& path, const std::vector<std::uint32_t>& bundle);

/// Whether a group is a bundle: what is inside reads the same, and is read by the same.
bool isBundle(const std::string& key);

} // namespace duo
