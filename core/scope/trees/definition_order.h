// SPDX-License-Identifier: Apache-2.0
// definitionOrder: the keys of a checkpoint that stores them by name, in the order their modules may be defined in.
#pragma once

#include "core/model/checkpoint.h"
#include "core/scope/facts/scope_facts.h"

#include <cstdint>
#include <vector>

namespace duo {

/// Where a key is read first: the node, and the place among what that node reads. Unread keys come last.
struct FirstRead {
    std::size_t node = SIZE_MAX;
    std::size_t place = SIZE_MAX;
    auto operator<=>(const FirstRead&) const = default;
};

/// Whether nothing tells the definition order of the checkpoint's keys: safetensors sorts them by element type and
/// name, and the model has no list of its own.
bool isOrderLost(const ScopeFacts& facts, const Checkpoint* checkpoint);

/// All keys, those of a module before those of its children. Children that are numbered go by number; others, as
/// modules are mostly defined in the order they run in, by the first read of anything below, unread ones last and by
/// name. Known leaves go as PyTorch registers them (weight, bias, running_mean, running_var). O(keys * log keys).
std::vector<std::int32_t> definitionOrder(const ScopeFacts& facts, const std::vector<FirstRead>& reads);

} // namespace duo
