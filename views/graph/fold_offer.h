// SPDX-License-Identifier: Apache-2.0
// Fold offer: what folding or unfolding a box of a picture comes to.
#pragma once

#include "views/graph/picture.h"

#include <optional>
#include <string>

namespace duo::ui {

struct FoldOffer {
    bool isFolded = false; // it can be unfolded; else folded
    std::string mark; // key to add to or take from what is open (core/graph/alike.h)
    std::string stands; // key of the box that stands there afterwards
    std::size_t count = 0; // equal scopes
};

/// Of the innermost scope or fold at or around a box; nothing where no neighbour is like it. O(nodes of the scope
/// around).
std::optional<FoldOffer> foldOffer(const Picture& picture, int box);

} // namespace duo::ui
