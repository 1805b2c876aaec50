// SPDX-License-Identifier: Apache-2.0
// Modules that run more than once in files whose names tell scopes but no modules: found by the tensors they read
// again.
#pragma once

#include "core/model/model.h"
#include "core/scope/producers/scope_names.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// A node whose name tells where it runs.
struct NamedOperation {
    NodeId node;
    SpellingId scope;
    std::string_view operation; // below the scope, with the numbers of taken names: "Tensordot_1/MatMul"
    std::vector<TensorId> tensors; // floats with more than one element that it reads, in port order
};

struct RepeatedScopes {
    /// [spellings] the scope whose module this one calls again: "encoder" for "encoder_1"; invalid: a module of its
    /// own.
    std::vector<SpellingId> sameAs;
    /// [spellings] calls that entered the scope by one and the same name: their operations read the same tensors.
    std::vector<std::int32_t> calls;
    std::vector<std::int32_t> callOf; // [operations] which of the calls; -1: that is not told
};

/// Two scopes beside each other whose names differ by TensorFlow's number are calls of one module iff all that their
/// operations read are the same tensors. One scope was entered n times iff each operation that reads tensors is there n
/// times and reads the same ones, and none of the scope's own work feeds two of them (a layer that uses its weight
/// several times prepares their inputs). TensorFlow's numbers tell the calls apart, then what a node lies between.
/// Tensors of one or two values prove nothing: converters merge equal ones. O((operations + tensors read) * depth).
/// @param scopes [nodes] where each node runs, invalid if not told
RepeatedScopes findRepeatedScopes(const Model& model, const ScopeSpellings& spellings,
    std::span<const SpellingId> scopes, std::span<const NamedOperation> operations);

} // namespace duo
