// SPDX-License-Identifier: Apache-2.0
// What stands at an input of a node.
#pragma once

#include "core/model/model.h"

#include <cstddef>

namespace duo {

/// Invalid where the port is omitted, or the node has fewer.
inline ValueId inputAt(const Node& node, std::size_t port)
{
    return port < node.inputs.size() ? node.inputs[port] : ValueId();
}

/// The constant there; null where it is none.
inline const Tensor* constantAt(const Model& model, const Node& node, std::size_t port)
{
    const ValueId value = inputAt(node, port);
    return value.valid() ? model.constant(value) : nullptr;
}

} // namespace duo
