// SPDX-License-Identifier: Apache-2.0
// Node names of another export or tool, taken apart into the scope and the operation they speak of.
#pragma once

#include "core/scope/scope.h"

#include <string>
#include <string_view>
#include <vector>

namespace duo {

struct OldName {
    std::string scope; // dotted path of modules: "enc.layers.0.self_attn"; "" if the name tells none
    std::string opType; // "MatMul"; "" if the name tells none
};

/// `/enc/layers.0/self_attn/MatMul_1` (ONNX by the TorchScript exporter), `Net/Encoder[enc]/Linear[fc]/linear_0` (NNCF
/// for PyTorch, before), `enc/fc/linear/0` (today). A component that repeats the path above it counts once.
OldName readOldName(std::string_view name);

/// The scope a pattern speaks of before its first sign that is no letter of a name: `/enc/layers\.0/.*` is
/// enc.layers.0.
std::string scopeOfPattern(std::string_view pattern);

/// What a path without numbers of calls means: every call of its modules, as a rule says it, or their first calls, as a
/// node's scope says it. A path with numbers always means single calls.
enum class Calls { Every, Single };

/// Scopes that a path may mean in this tree: of those with the same last atom the ones that differ from it in the
/// fewest atoms (a wrapper around all, a container left out), at most four and less than what they share; where single
/// calls are meant, the same call before others, else the first call stands for all. At most `count`, in the tree's
/// order. O(scopes * path length squared).
std::vector<ScopeId> likeScopes(
    const ScopeTree& tree, std::string_view path, std::size_t count, Calls calls = Calls::Every);

/// The deepest scope with nodes that the path begins with; invalid if there is none.
ScopeId nearestAround(const ScopeTree& tree, std::string_view path);

} // namespace duo
