// SPDX-License-Identifier: Apache-2.0
// StorageOrder: keys and modules in definition order, as far as the file shows it.
#pragma once

#include "core/model/checkpoint.h"
#include "core/scope/scope_facts.h"

#include <vector>

namespace duo {

struct StorageOrder {
    /// One key, or one owner of parameters without names.
    struct Item {
        std::int32_t key = kNoKey;
        PathId owner;
    };
    std::vector<Item> items;
    std::vector<std::int32_t> keyRank; // [keys] position among keys
};

/// Keys that the exporter or the checkpoint lists, or that initializers carry, are in definition order already, unless
/// the checkpoint has lost it; aliases and owners found otherwise go before the first of them that is read later.
/// @param checkpoint whose keys are among them; may be null
StorageOrder storageOrder(const ScopeFacts& facts, const Checkpoint* checkpoint);

} // namespace duo
