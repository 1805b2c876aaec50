// SPDX-License-Identifier: Apache-2.0
// Where an edit can stand: functions are not edited, for every call of one shares its nodes.
#pragma once

#include "core/model/model.h"

namespace duo {

/// The node of the main graph or of a body that stands for a node inside a call: the outermost call; others themselves.
NodeId outsideCalls(const Model& model, NodeId node);

} // namespace duo
