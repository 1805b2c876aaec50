// SPDX-License-Identifier: Apache-2.0
// Names of several operations joined by ';', as TensorFlow Lite gives them to what it fused: whose they are.
#pragma once

#include "core/scope/facts/scopes.h"
#include "core/scope/producers/tensorflow_names.h"

#include <optional>
#include <string_view>

namespace duo {

/// Where an operation runs that has several names, and which of the names says so.
struct Resolved {
    OperationName name;
    Provenance from = Provenance::Name; // guess: several scopes have as many names
};

/// The scope that most of the names speak for, among those with an operation that fits the node. Merged constants add
/// names of layers that have nothing to do with it. Nothing if none fits and they do not agree.
/// @param opType of the node that has the names; "" for a tensor
std::optional<Resolved> resolve(std::string_view plain, std::string_view opType, const OperationNames& operations);

} // namespace duo
