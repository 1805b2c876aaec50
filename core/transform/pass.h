// SPDX-License-Identifier: Apache-2.0
// Pass: a change of the model that keeps what it computes, as edits; and the list of all of them, in their order.
#pragma once

#include "core/model/value_types.h"
#include "core/transform/edit_list.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

struct ComputedConstants;
struct HalfRequest;

enum class PassStage {
    Open, // behind the reader; each pass sees what the one before made, all stages see what the last one made
    Common, // whatever the model is to run on, again and again until none of them changes anything
    Target, // behind stage Common, for targets whose list names it
    Write, // while an export is written; what is shown and decided is the model as it was
};

/// What a pass needs to know beside the model; any number of them.
using PassNeeds = std::uint32_t;
namespace needs {
inline constexpr PassNeeds kNothing = 0;
inline constexpr PassNeeds kSizes = 1U << 0; // of values; what it does holds for these sizes alone
inline constexpr PassNeeds kSizesIfFixed = 1U << 1; // it knows more with them, and runs without as well
inline constexpr PassNeeds kConstants = 1U << 2; // what no input changes, computed
inline constexpr PassNeeds kValues = 1U << 3; // what data give, and who asks for it: once, behind all other passes
} // namespace needs

/// What stays true of a model when a pass has changed it; any number of them.
using PassKeeps = std::uint32_t;
namespace keeps {
inline constexpr PassKeeps kNames = 1U << 0; // of nodes that stay
inline constexpr PassKeeps kScopes = 1U << 1; // of these, in both trees
inline constexpr PassKeeps kShapes = 1U << 2; // of values that stay
inline constexpr PassKeeps kWeights = 1U << 3; // their elements
inline constexpr PassKeeps kStatistics = 1U << 4; // values that stay hold what they held
inline constexpr PassKeeps kBits = 1U << 5; // outputs are the same bit for bit, not only to rounding
inline constexpr PassKeeps kAll = kNames | kScopes | kShapes | kWeights | kStatistics | kBits;
} // namespace keeps

/// What a pass is given.
struct PassScene {
    const Model& model;
    /// Write: nodes whose weights and biases the export writes anew, by readWeight() and effectiveBias(), which know
    /// what the pass takes out. Else empty.
    const std::set<NodeId>& written;
    std::vector<bool> kept = {}; // [nodes] that must stay as they are; empty: none
    const ValueTypes* sizes = nullptr; // Common: null where the model is to stay open to other sizes
    const ComputedConstants* constants = nullptr; // to a pass that needs them
    std::int64_t opset = 0; // Target: the newest that the model may need; 0: any
    std::int64_t leastOpset = 0; // Target: what it is to be raised to; 0: as it is
    const HalfRequest* half = nullptr; // to a pass that needs values: of `model`; null: nothing is asked

    [[nodiscard]] bool mayChange(NodeId node) const { return kept.empty() || !kept[node.index]; }
};

/// A node that a pass would have changed but for a reason.
struct PassSkip {
    NodeId node;
    std::string why; // "its output is an output of the graph"
};

struct PassResult {
    std::optional<EditList> edits; // nothing: the model stays as it is
    std::vector<Note> notes; // what was done, or why it could not be
    std::vector<NodeId> applied = {}; // Common: nodes that were taken out or changed
    std::vector<PassSkip> skipped = {}; // Common
    std::vector<std::pair<NodeId, NodeId>> fused
        = {}; // Common, Write: a node that stays, and one that became a part of it
};

struct Pass {
    std::string_view id; // stable
    PassStage stage = PassStage::Open;
    int version = 1; // raised when it does something else than it did
    std::string_view does; // one sentence for the user
    PassResult (*run)(const PassScene& scene) = nullptr;
    PassNeeds needs = needs::kNothing;
    PassKeeps keeps = keeps::kAll;
    std::string_view undoes = {}; // the pass that is to leave alone what this one made; "": none
};

/// All passes, in the order in which they run.
std::span<const Pass> passes();

/// What a model is to run on, and what it wants beyond stage Common, which is the same for all.
struct TransformTarget {
    std::string_view name; // of the quantization profile for it
    std::span<const std::string_view> passes; // ids, of stage Target
    std::int64_t opset = 0; // the newest that it reads; 0: any
    bool isTyped = false; // it computes in the types of the file alone: an export has floats of 16 bits where they fit
};
std::span<const TransformTarget> transformTargets();
/// Null: there is none of that name.
const TransformTarget* findTarget(std::string_view name);

/// "it is written in opset 26, and tensorrt is known to read opsets up to 25"
std::string readsUpToText(std::int64_t opset, std::string_view target, std::int64_t most);

/// What the passes of stage Write make of one model, joined: each changes nodes that no other does.
PassResult runWritePasses(const Model& model, const std::set<NodeId>& written);

} // namespace duo
