// SPDX-License-Identifier: Apache-2.0
// View builder: boxes of a picture from containers and the set of open keys.
#pragma once

#include "core/graph/containment.h"
#include "core/graph/view_graph.h"

namespace duo {

/// buildViewGraph with a containment of the same model at hand.
ViewGraph buildView(const Model& model, const Scopes& scopes, const Placement* placement,
    const Containment& containment, const std::set<std::string>& open);

} // namespace duo
