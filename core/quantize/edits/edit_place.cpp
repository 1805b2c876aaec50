// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/edit_place.h"

namespace duo {

NodeId outsideCalls(const Model& model, NodeId node)
{
    for (NodeId at = node; at.valid(); at = model.region(model.node(at).region).owner) {
        if (model.node(at).isCall)
            node = at;
    }
    return node;
}

} // namespace duo
