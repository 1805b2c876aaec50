// SPDX-License-Identifier: Apache-2.0
// Ways to take nodes out of ignored scopes: rules only add up, so what ignores them has to be rewritten.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "views/rules/proposal.h"

#include <vector>

namespace duo::ui {

/// The enabled ignore rules that catch some of the nodes, ascending. `snapshot` was made with `rules`.
std::vector<std::size_t> rulesIgnoring(const Snapshot& snapshot, const std::vector<NodeId>& nodes);

/// How to let `selected` (ascending) be quantized again, what keeps most of the other nodes ignored first:
/// - each rule that catches them is replaced by rules for the rest of what it catches,
/// - patterns are told to leave them out,
/// - the rules are disabled, or removed.
/// `snapshot` was made with its own rules; choices that would leave one of the nodes ignored are not offered.
Proposals proposeUnignore(const Snapshot& snapshot, const std::vector<NodeId>& selected, const QString& subject);

} // namespace duo::ui
