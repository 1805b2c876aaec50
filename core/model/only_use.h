// SPDX-License-Identifier: Apache-2.0
// The only reader of a value: what may be fused with its producer, or change with it.
#pragma once

#include "core/model/model.h"

#include <optional>

namespace duo {

/// The read of a value that is read once in all, bodies included; nothing where the graph or its body gives it as well,
/// and for an invalid id. The reader may be in a body.
std::optional<Use> onlyUse(const Model& model, ValueId value);

/// The same of a node's first output.
std::optional<Use> onlyUse(const Model& model, const Node& node);

} // namespace duo
