// SPDX-License-Identifier: Apache-2.0
// addCoverage: how many keys were found, by what; and names that stand in both files with unequal values.
#pragma once

#include "core/scope/content/content_matches.h"
#include "core/scope/content/search/wanted_tensors.h"

namespace duo {

/// Fills ContentMatches::coverage and unequalNames from its matches. O(matches + keys + names).
void addCoverage(const ContentSearch& search, ContentMatches& result);

} // namespace duo
