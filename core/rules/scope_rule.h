// SPDX-License-Identifier: Apache-2.0
// ScopeRule: a scope as the user writes it, matched on path atoms (resources/docs/rules.md, "Scopes in rules").
#pragma once

#include "core/scope/scope.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// One atom of a path: `layer1`, `@enc`, `proj#1`; unescaped.
struct ScopeAtom {
    std::string name;
    bool isForeign = false;
    std::optional<std::int64_t> call; // the number after `#`
    bool operator==(const ScopeAtom&) const = default;
};

/// Atoms of a scope text; `.` and `/` both separate, `\` escapes, empty atoms are left out. O(length).
std::vector<ScopeAtom> scopeAtoms(std::string_view text);

/// The text without the numbers of calls, which means every call: `blk/lin` of `blk#1/lin#3`. O(length).
std::string everyCall(std::string_view text);

/// An execution scope as a text that means this call alone: `blk#0` where blk is called again beside it.
std::string oneCall(const ScopeTree& execution, ScopeId scope);

/// The calls that everyCall of an execution scope names, itself among them, in the tree's order. O(scopes).
std::vector<ScopeId> callsAlike(const ScopeTree& execution, ScopeId scope);

/// Which scopes of a tree the rule catches: those whose path begins with the rule's atoms, and everything below.
/// A rule atom without `#n` means every call, `#0` the first; no atoms: all scopes. Bodies of control-flow nodes may be
/// left out: `enc/conv` catches `enc/If_0 [then]/conv`. O(scopes + path lengths).
/// @param tree execution or storage tree, parents before children
std::vector<bool> scopesCaught(const ScopeTree& tree, std::string_view rule);

} // namespace duo
