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

/// Execution scopes that a dotted path may mean in this model, nearest first: with the same modules, then with more or
/// fewer around them (a wrapper). At most `count`. O(scopes * path length).
std::vector<ScopeId> likeScopes(const ScopeTree& execution, std::string_view dotted, std::size_t count);

} // namespace duo
