// SPDX-License-Identifier: Apache-2.0
// Patterns: small graphs of operator roles, as NNCF joins them (resources/docs/quantization.md, "Fused patterns").
#pragma once

#include "core/quantize/operators/op_traits.h"
#include "core/quantize/points/settings.h"

#include <string>
#include <vector>

namespace duo {

/// One operator of a pattern.
struct PatternNode {
    enum class Kind : std::uint8_t {
        Roles, // has one of `roles`
        Any, // anything, and part of the match
        Outside, // anything; tells only what the others read, and is no part of the match
    };
    Kind kind = Kind::Roles;
    OpRoles roles = role::kNone;
    std::vector<int> reads; // indices of earlier nodes; an index twice: two edges
    bool isExcluded = false; // has to be there, but is not returned
};

struct FusionPattern {
    std::string name; // "conv-activation", said in decisions
    std::vector<PatternNode> nodes; // producers before readers
    [[nodiscard]] int size() const; // without Outside nodes
};

/// What the engine computes as one operator, longest first.
std::vector<FusionPattern> fusedPatterns(const Target& target);

/// What must stay in float for accuracy, longest first.
std::vector<FusionPattern> ignoredPatterns(const Target& target);

} // namespace duo
