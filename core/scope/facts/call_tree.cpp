// SPDX-License-Identifier: Apache-2.0
#include "core/scope/facts/call_tree.h"

#include <utility>

namespace duo {

CallId commonCall(const CallTree& tree, CallId a, CallId b)
{
    while (a != b) {
        if (tree.calls[a.index].depth < tree.calls[b.index].depth)
            std::swap(a, b);
        a = tree.calls[a.index].parent;
    }
    return a;
}

} // namespace duo
