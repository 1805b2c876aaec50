// SPDX-License-Identifier: Apache-2.0
// Shape groups: what of a scope computes sizes of values and nothing else, so that the rest of it can be seen.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace duo {

enum class ShapeRole : std::uint8_t {
    None,
    Measures, // Shape, Size of what the model computes
    Computes, // reads nothing but what such nodes tell, others made of it, and constants
};

/// [nodes] O(nodes + reads).
std::vector<ShapeRole> shapeRoles(const Model& model);

/// Items that compute shapes and belong together, at least kLeastOfShapes each, in order. What is measured of values
/// that were made by such shapes is another group, so that no group reads what is made of it.
/// @param roles [items] each behind those it reads
/// @param links from and to of values inside
/// O(items + links * log).
std::vector<std::vector<std::uint32_t>> findShapeGroups(
    std::span<const ShapeRole> roles, std::span<const std::pair<std::uint32_t, std::uint32_t>> links);

inline constexpr std::size_t kLeastOfShapes = 4;

/// Keys of groups in a containment: "<path>//shapes<first>-<last>".
std::string shapeGroupKey(const std::string& path, const std::vector<std::uint32_t>& group);
bool isShapeGroup(const std::string& key);

} // namespace duo
