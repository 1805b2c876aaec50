// SPDX-License-Identifier: Apache-2.0
// StorageOrder: keys and modules in definition order, as far as the file shows it.
#pragma once

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

/// Keys that the exporter lists, or that initializers carry, are in definition order already; aliases and owners found
/// otherwise go before the first of them that is read later.
StorageOrder storageOrder(const ScopeFacts& facts);

} // namespace duo
