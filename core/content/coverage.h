// SPDX-License-Identifier: Apache-2.0
// addCoverage: how many keys were found, by what; and names that stand in both files with unequal values.
#pragma once

#include "core/content/search/wanted_tensors.h"
#include "core/content/values/content_matches.h"

namespace duo {

/// Fills ContentMatches::coverage and unequalNames from its matches. O(matches + keys + names).
void addCoverage(const ContentSearch& search, ContentMatches& result);

} // namespace duo
