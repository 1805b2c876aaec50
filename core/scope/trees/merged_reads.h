// SPDX-License-Identifier: Apache-2.0
// Nodes that stand for several: exporters drop an operation that is equal to an earlier one, whoever called it.
#pragma once

#include "core/scope/facts/scope_facts.h"

#include <vector>

namespace duo {

/// Reads that show it, by producer, then by reader. The newer exporter records what a node read before; names alone
/// tell where a module that was called from outside hands its result to its own parent, too, and where both operands of
/// a commutative operator are one value although its module has a second path and is called only once. O(nodes + uses).
std::vector<MergedRead> findMergedReads(const Model& model, const ScopeFacts& facts);

} // namespace duo
