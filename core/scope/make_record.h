// SPDX-License-Identifier: Apache-2.0
// What an export writes about scopes, so that whoever opens the file next need not work them out again.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/scopes.h"
#include "core/scope/scope_record.h"

#include <span>
#include <utility>
#include <vector>

namespace duo {

/// All facts of `scopes`, which must have been found for `model`. What was parsed from names or proven by values counts
/// as recorded from now on; what was inferred or guessed stays that. O(nodes + reads + keys).
/// @param removed nodes that the file written will not have
/// @param fused a node that stays, and one of those removed that became a part of it: what that read was folded into it
ScopeRecord scopeRecord(const Model& model, const Scopes& scopes, std::span<const NodeId> removed = {},
    std::span<const std::pair<NodeId, NodeId>> fused = {});

/// The same for a model that is made of this one and shown in its place: every fact stays known as it is.
ScopeRecord carriedScopeRecord(const Model& model, const Scopes& scopes);

/// Per node of the main graph the entries PyTorch's exporter would have made, where it made none and the calls around
/// the node are no inference: `pkg.torch.onnx.name_scopes`; with classes, where all are known, `class_hierarchy` and
/// `namespace`.
std::vector<std::pair<NodeId, Metadata>> exporterMetadata(const Model& model, const Scopes& scopes);

} // namespace duo
