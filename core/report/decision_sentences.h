// SPDX-License-Identifier: Apache-2.0
// Decisions in words: the one place where reasons, and what would change them, become sentences, as text and in parts.
#pragma once

#include "core/quantize/counterfactual.h"
#include "core/quantize/placement.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// A piece of a sentence: words, or the name of something, which stands in quotes where all is text.
struct SentencePart {
    std::string text; // of a name: without quotes
    NodeId node = {}; // named; else invalid
    ValueId value = {}; // named; else invalid
    int rule = RuleHits::kNoRule; // named, as index of the rules
    bool operator==(const SentencePart&) const = default;

    [[nodiscard]] bool isName() const { return node.valid() || value.valid() || rule != RuleHits::kNoRule; }
};

/// Lower case, without a final period; empty where nothing is to be said.
using Sentence = std::vector<SentencePart>;

std::string sentenceText(const Sentence& sentence);

/// Why the node is what it is: "it is computed together with 'conv1' (conv-activation)".
Sentence whySentence(const Model& model, const Placement& placement, NodeId node);
std::string whyText(const Model& model, const Placement& placement, NodeId node);

/// All that whyText() depends on where it names no node and no value: equal ones are said in the same words.
struct CommonReason {
    ReasonCode code = ReasonCode::None;
    int detail = 0; // the rule, pattern or element type
    std::string_view opType = {}; // of the model
    std::string_view domain = {};
    auto operator<=>(const CommonReason&) const = default;
};
/// Nothing where a node or value is named, or the bits that it has.
std::optional<CommonReason> commonReason(const Model& model, const Placement& placement, NodeId node);

/// What would change that: "it would be quantized with model_type none".
Sentence wouldSentence(const Model& model, const Placement& placement, NodeId node);
std::string wouldText(const Model& model, const Placement& placement, NodeId node);

/// Whether whyText() names the rule that ignores the node itself.
bool namesItsRule(const Placement& placement, NodeId node);

/// What was found by leaving rules out: "it would be quantized without rule 2 'ignore type Add'". Rules are numbered
/// from 1.
Sentence counterfactualSentence(
    const Model& model, const Placement& placement, const Placement& unruled, NodeId node, const Counterfactual& would);

/// Both sentences on a node that stays in float after all.
RecordedKept keptTexts(const Model& model, const KeptFloat& kept);

/// Why the engine runs a node in float between quantizers, and what helps.
std::string fallbackText(Fallback fallback, const Node& node);

/// "holds infinities (3 % of its numbers), which codes would make finite"
std::string rangeTroubleText(const RangeTrouble& trouble);

} // namespace duo
