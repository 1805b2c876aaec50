// SPDX-License-Identifier: Apache-2.0
// Owners of parameters that have lost their names.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/call_tree.h"
#include "core/scope/facts/canonical_order.h"
#include "core/scope/facts/parameters.h"

#include <span>

namespace duo {

/// Finds an owner for reads without one: the owner of another parameter of the same node, or of the bias that an Add
/// of the same call adds to a MatMul (dataflow, where that owner keeps nothing but a bias in the file, as linear layers
/// do; else a guess); else, for operators that have weights, the module that runs (guess).
/// What a module reads that the model does not know of belongs to nobody.
/// @param executionFrom [nodes] how the call of each node is known
void inferOwners(const Model& model, const NodeOrder& order, const CallTree& tree,
    std::span<const Provenance> executionFrom, const ModulePaths& paths, const std::vector<bool>& isUnregistered,
    Parameters& parameters);

/// A name without a module speaks for the whole model. Optimizers give such names to tensors of their own: where a node
/// in a module, or one of which it is not said where it runs, reads a tensor that nothing but such a name calls a
/// parameter of the whole model, its owner is not known.
void forgetBareNames(const CallTree& tree, std::span<const Provenance> executionFrom, Parameters& parameters);

/// The same for files that name no scopes: a parameter of the whole model is a guess there, if it has no more than such
/// a name.
void doubtBareNames(Parameters& parameters);

} // namespace duo
