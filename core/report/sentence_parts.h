// SPDX-License-Identifier: Apache-2.0
// The sentences of a decision, with the nodes they name as values beside the text.
#pragma once

#include "core/quantize/placement.h"

#include <string>
#include <vector>

namespace duo {

struct SentencePart {
    std::string text; // of a node: its name, without quotes
    NodeId node = {}; // invalid: text between nodes
    bool operator==(const SentencePart&) const = default;
};

/// The nodes that a decision names: the one it is computed together with, and the one it is about.
std::vector<NodeId> nodesNamed(const Decision& decision);

/// `sentence`, a reason or counterfactual, cut where it names one of `nodes`. O(sentence * nodes).
std::vector<SentencePart> sentenceParts(
    const std::string& sentence, const std::vector<NodeId>& nodes, const Model& model);

} // namespace duo
