// SPDX-License-Identifier: Apache-2.0
// DecidedUse: what was decided about one use of a tensor, and how such decisions become matches.
#pragma once

#include "core/content/norm_choices.h"
#include "core/content/witnesses.h"

#include <cstdint>
#include <vector>

namespace duo {

struct DecidedUse {
    std::uint32_t read = 0; // index into Wanted::reads
    TensorUse use;
    const Derivation* derivation = nullptr; // null: open
    WitnessedKey key; // of the first part; of the batch norm if there are no parts
    ChosenNorm norm; // null if none was folded
    std::vector<std::uint32_t> tied; // further keys of the tensor, which the checkpoint does not record as ties
};

/// One match for the uses of a tensor that have the same owner and certainty; sorted by tensor, then first reader.
/// @param uses by read, then reader
std::vector<ContentMatch> matchesOf(const ContentSearch& search, const std::vector<DecidedUse>& uses);

} // namespace duo
