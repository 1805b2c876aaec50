// SPDX-License-Identifier: Apache-2.0
// Modules whose parameters nothing reads.
#pragma once

#include "core/scope/facts/scope_facts.h"
#include "core/scope/trees/storage_order.h"

#include <string>
#include <vector>

namespace duo {

/// Paths of modules that own a key, themselves or below, while no node reads any of them and no node runs there; in
/// storage order, only the topmost. A key that the exporter lists but the file does not hold counts only if the
/// exporter also recorded what every operation read.
std::vector<std::string> neverExecuted(const ScopeFacts& facts, const StorageOrder& order);

} // namespace duo
