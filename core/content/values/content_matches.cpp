// SPDX-License-Identifier: Apache-2.0
#include "core/content/values/content_matches.h"

#include "core/support/enum_text.h"

#include <algorithm>

namespace duo {
namespace {

constexpr auto kKinds
    = enumTexts<MatchKind::Scaled>({"name", "exact", "reshaped", "transposed", "permuted", "converted",
        "reordered gates", "concatenated", "slice", "gathered", "weight norm", "folded", "quantized", "scaled"});
constexpr auto kCertainties = enumTexts<Certainty::Undecided>({"proof", "witnessed", "guess", "undecided"});

} // namespace

std::string_view matchKindText(MatchKind kind)
{
    return enumText(kKinds, kind);
}

std::string_view certaintyText(Certainty certainty)
{
    return enumText(kCertainties, certainty);
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
