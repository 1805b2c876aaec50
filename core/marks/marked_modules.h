// SPDX-License-Identifier: Apache-2.0
// MarkedModules: what the marks of a recipe come to on a model, and the sign that each row of both trees gets for it.
#pragma once

#include "core/marks/annotate.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace duo {

/// How a scope of a tree stands to the marks.
enum class MarkSign : std::uint8_t {
    None,
    First, // of a marked module, under its first path
    Alias, // of a marked module, under another path
    Ignored,
};

struct MarkedModules {
    std::shared_ptr<const Scopes> scopes; // that all of it is of
    std::shared_ptr<const ModuleTree> tree;
    std::vector<Mark> marks;
    Marked marked;
    std::vector<MarkSign> storage; // [scopes of the storage tree]
    std::vector<MarkSign> execution; // [scopes of the execution tree]; bodies have none
};

/// O(scopes + nodes + keys) for the tree, and what annotate() takes.
/// @param sources that the scopes were found with
/// @param before its tree is taken where it is of the same scopes; null: there is none
MarkedModules markedModules(const Model& model, const std::shared_ptr<const Scopes>& scopes,
    const ScopeSources& sources, std::vector<Mark> marks, const MarkedModules* before = nullptr);

/// The last enabled mark that marks a module, or else leaves it out; none if no mark reaches it.
std::size_t markOf(const MarkedModules& modules, std::uint32_t module);
inline constexpr std::size_t kUnmarked = static_cast<std::size_t>(-1);

} // namespace duo
