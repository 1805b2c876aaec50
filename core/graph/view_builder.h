// SPDX-License-Identifier: Apache-2.0
// View builder: boxes of a picture from containers and the set of open keys, or of one container.
#pragma once

#include "core/graph/containment.h"
#include "core/graph/view_graph.h"

namespace duo {

/// The picture for a set of open keys ("" is always open; unknown keys count for nothing). `placement` may be null (no
/// states, no badges), `containment` is of the same model. O(nodes + uses * open depth).
ViewGraph buildView(const Model& model, const Scopes& scopes, const Placement* placement,
    const Containment& containment, const std::set<std::string>& open);

/// One container, open, as its first box: its items, closed, and beside it an Input for each value that comes in and an
/// Output for each that something outside reads. O(nodes + uses).
ViewGraph buildInside(const Model& model, const Scopes& scopes, const Placement* placement,
    const Containment& containment, std::uint32_t container);

} // namespace duo
