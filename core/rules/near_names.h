// SPDX-License-Identifier: Apache-2.0
// The names a mistyped one may have meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Insertions, deletions and replacements between two texts (bytes), or limit + 1 if there are more than `limit`.
/// O(length * limit).
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit);

/// At most `count` of `names`, nearest first: those that hold the wanted name as a whole part (`conv1` in
/// `/layer1/conv1/Conv`) or are equal but for case, then those within a quarter of its length in edits. Equal ones in
/// given order. Compares at most 20,000 names of similar length; names longer than 300 bytes are not compared.
std::vector<std::string> nearestNames(
    std::string_view wanted, std::span<const std::string_view> names, std::size_t count = 3);

} // namespace duo
