// SPDX-License-Identifier: Apache-2.0
// How nodes use the tensors of a file: what the structure of the graph says about which of them were learned.
#pragma once

#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"

#include <span>
#include <vector>

namespace duo {

/// [Model::tensors] the most telling use of each, followed through operators that only hand constants on. Beyond the
/// table of operands: what is added to a product, one number per channel of it, is its bias; factors with as many
/// summands behind them are a normalization's; in arithmetic among constants, what scales integers and what is a single
/// number are settings. Neither the order of nodes nor names count. O(nodes + uses).
std::vector<Operand> tensorUses(const Model& model, std::span<const HeldTensor> held);

} // namespace duo
