// SPDX-License-Identifier: Apache-2.0
#include "core/content/content_matches.h"

#include "core/support/enum_text.h"

#include <algorithm>

namespace duo {
namespace {

} // namespace

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
