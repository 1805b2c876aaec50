// SPDX-License-Identifier: Apache-2.0
// FusionPlan: which operators of a model the target of some settings computes as one, and what must stay in float.
#pragma once

#include "core/quantize/operators/pattern_match.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

struct FusionPlan {
    std::vector<FusionPattern> fusing;
    std::vector<Match> matches; // of `fusing`
    std::vector<FusionPattern> ignored; // what must stay in float for accuracy
};

/// The names of a plan's patterns, each once: what decisions name them by.
class PatternNames
{
public:
    PatternNames() = default;
    explicit PatternNames(const FusionPlan& plan); // which stays where it is

    /// Index of `names`. @param pattern of the plan
    [[nodiscard]] std::uint16_t of(const FusionPattern& pattern) const { return m_indices.at(&pattern); }
    [[nodiscard]] const std::shared_ptr<const std::vector<std::string>>& names() const { return m_names; }

private:
    std::shared_ptr<const std::vector<std::string>> m_names;
    std::unordered_map<const FusionPattern*, std::uint16_t> m_indices;
};

/// NNCF's patterns; for qnn, with quantizers on every other tensor, only what its execution provider computes as one
/// if no quantizer lies inside: a GELU made of Erf, a MatMul with the addition of its bias, and a Conv with the batch
/// norm that the export folds into it (resources/docs/runtime.md, "Profiles").
/// O(patterns * operators).
FusionPlan fusionPlan(const Model& model, const OpGraph& graph, const Target& target);

} // namespace duo
