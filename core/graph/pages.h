// SPDX-License-Identifier: Apache-2.0
// Pages: where a scope of too many boxes is cut into pieces that can be looked at, and what they are called.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// What stands in a scope, in topological order.
struct PageItem {
    std::string name; // of a scope: its name; of a node: its operator
    bool isScope = false;
    std::uint64_t likeness = 0; // equal for items of equal content
    std::string label = {}; // what tells it from its like: of a node its own name
};

/// Items [first, last) of a scope.
struct Page {
    std::size_t first = 0;
    std::size_t last = 0;
    std::string
        title; // by content: "layers.0–60 ×61", "Conv, Relu ×12", "MatMul ×9, Add ×7 …"; where that
               // is the title of several, with the names at their ends: "Relu ×45: act_0–44", "Conv_0 – Relu_23"
    std::vector<Page> pages; // of a page that is too long itself
};

/// Pages of about equal size, no list of pages longer than `most`, nor a page without pages; none if all items fit.
/// Where items repeat, pages are cut between repetitions; else where the fewest values cross.
/// @param crossing [items] values that lead from items before to this one or behind it
/// O(items * most).
std::vector<Page> findPages(std::span<const PageItem> items, std::span<const std::uint32_t> crossing, std::size_t most);

/// The key of the container that a page becomes: "<path>//1-25".
/// @param prefix what all pages of the same items begin with; ends in "//"
std::string pageKey(const std::string& prefix, const Page& page);
bool isPageKey(std::string_view key);

/// What items are called together.
std::string pageTitle(std::span<const PageItem> items);

} // namespace duo
