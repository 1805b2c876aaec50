// SPDX-License-Identifier: Apache-2.0
// matchEvidence: what a match rests on, in words.
#pragma once

#include "core/content/search/wanted_tensors.h"

#include <string>
#include <vector>

namespace duo {

/// Sentences about the values: what equals what, how it was moved, and whether that says enough. `match` has its keys
/// and candidates. Keys are named as in the checkpoint.
std::vector<std::string> matchEvidence(
    const ContentSearch& search, const WantedSet& set, const Derivation& derivation, const ContentMatch& match);

} // namespace duo
