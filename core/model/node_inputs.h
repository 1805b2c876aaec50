// SPDX-License-Identifier: Apache-2.0
// What stands at an input of a node.
#pragma once

#include "core/model/model.h"

#include <cstddef>
#include <optional>

namespace duo {

/// Invalid where the port is omitted, the node has fewer, or there is no such port.
inline ValueId inputAt(const Node& node, std::optional<std::size_t> port)
{
    return port && *port < node.inputs.size() ? node.inputs[*port] : ValueId();
}

/// The constant there; null where it is none.
inline const Tensor* constantAt(const Model& model, const Node& node, std::optional<std::size_t> port)
{
    const ValueId value = inputAt(node, port);
    return value.valid() ? model.constant(value) : nullptr;
}

} // namespace duo
