// SPDX-License-Identifier: Apache-2.0
#include "core/scope/content/match_content.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

constexpr std::array<std::string_view, 14> kKinds{"name", "exact", "reshaped", "transposed", "permuted", "converted",
    "reordered gates", "concatenated", "slice", "gathered", "weight norm", "folded", "quantized", "scaled"};
constexpr std::array<std::string_view, 4> kCertainties{"proof", "witnessed", "guess", "undecided"};

} // namespace

std::string_view matchKindText(MatchKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)];
}

std::string_view certaintyText(Certainty certainty)
{
    return kCertainties[static_cast<std::size_t>(certainty)];
}

std::span<const ContentMatch> ContentMatches::of(TensorId tensor) const
{
    return std::ranges::equal_range(matches, tensor, {}, &ContentMatch::tensor);
}

const ContentMatch* ContentMatches::find(TensorId tensor, NodeId reader) const
{
    for (const ContentMatch& match : of(tensor)) {
        if (std::ranges::binary_search(match.readers, reader))
            return &match;
    }
    return nullptr;
}

} // namespace duo
