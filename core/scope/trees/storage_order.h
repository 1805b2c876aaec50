// SPDX-License-Identifier: Apache-2.0
// The order of storage scopes: keys and modules in definition order, as far as the file shows it.
#pragma once

#include "core/model/checkpoint.h"
#include "core/scope/facts/scope_facts.h"

#include <vector>

namespace duo {

/// Keys that the exporter or the checkpoint lists, or that initializers of the main graph carry, are in definition
/// order already, unless the checkpoint has lost it; all others go before the first of them that is read later.
/// @param checkpoint whose keys are among them; may be null
StorageOrder storageOrder(const ScopeFacts& facts, const Checkpoint* checkpoint);

} // namespace duo
