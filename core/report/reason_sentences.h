// SPDX-License-Identifier: Apache-2.0
// Reasons as sentences for people, made of their evidence.
#pragma once

#include "core/model/model.h"
#include "core/scope/scope.h"
#include "core/scope/trees/evidence.h"

#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// What a reason says of any node: "a module that holds parameters runs more than once".
std::string_view reasonMeaning(Reason reason);

/// Why storage and execution of the node are not the same, as one sentence without a final period. Names what it speaks
/// of; long lists are cut ("and 7 more"); says of a guess that it is one. Without evidence: what the reason means.
std::string reasonSentence(const Model& model, const Scopes& scopes, NodeId node, const ReasonEvidence& evidence);

/// "'a', 'b' and 'c'", "'a', 'b', 'c' and 4 more" above `most`; the empty scope is "the model itself".
std::string quotedList(const std::vector<std::string>& items, std::size_t most = 4);

} // namespace duo
