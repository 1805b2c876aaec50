// SPDX-License-Identifier: Apache-2.0
// Snapshot: what is known so far. Every part is set by exactly one stage; later parts are null until computed.
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"
#include "core/onnx/reader.h"
#include "core/quantize/placement.h"
#include "core/quantize/recipe/recipe.h"
#include "core/quantize/rule_effects.h"
#include "core/rules/match.h"
#include "core/scope/scope.h"

#include <memory>
#include <optional>
#include <vector>

namespace duo {

/// What rules came to, under the model and settings of the snapshot.
struct RulesOutcome {
    RuleSet rules;
    std::shared_ptr<const Scopes> matched;
    std::shared_ptr<const RuleHits> hits;
    std::shared_ptr<const Placement> placement;
    std::shared_ptr<const std::vector<RuleEffect>> effects;
    std::optional<Error> refusal;
};

struct Snapshot {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Checkpoint> checkpoint; // opened beside the model; null for most
    std::shared_ptr<const ContentMatches> matches; // of both; null without a checkpoint
    std::shared_ptr<const std::string> scopeRecord; // scopes that a compression state tells; null for most
    std::shared_ptr<const Scopes> scopes;
    Recipe recipe; // as the user has it
    QuantizationSettings settings; // the recipe's, and what the model tells where it leaves them open
    std::shared_ptr<const RuleHits> hits;
    std::shared_ptr<const Scopes> matched; // the scopes `hits` were found in: in others they are found again
    std::shared_ptr<const Placement> placement; // with the rules; null where the model cannot be quantized
    std::shared_ptr<const PlacementBase> base; // what placements under any rules start from; null as `placement`
    std::shared_ptr<const Placement> unruled; // without any rule: what the rules change
    std::shared_ptr<const std::vector<RuleEffect>> effects; // [rules] what each rule changes
    std::vector<std::shared_ptr<const RulesOutcome>> recent; // at most eight, the last one last: undoing is a look-up
    std::optional<Error> refusal; // why there is no placement (an opset below 10 that has no conversion, not ONNX)

    [[nodiscard]] ScopeSources sources() const
    {
        return {checkpoint.get(), matches.get(), scopeRecord ? std::string_view(*scopeRecord) : std::string_view()};
    }
    /// @return why there is no placement
    [[nodiscard]] Status checkPlaced() const;
};

struct OpenOptions {
    ReadOptions read = {};
    std::filesystem::path checkpoint = {}; // "": none
    int threads = 1; // for comparing values; the result does not depend on it
};

/// Reads the files and finds the scopes; nothing about rules and quantization is computed.
Result<Snapshot> openScopes(
    const std::filesystem::path& path, const OpenOptions& options = {}, const JobContext& job = {});

/// Reads the files and computes everything that needs no data, with an empty recipe.
Result<Snapshot> openSnapshot(
    const std::filesystem::path& path, const OpenOptions& options = {}, const JobContext& job = {});

/// The same model, rules and settings with another checkpoint; scopes and what follows from them are computed again.
Result<Snapshot> withCheckpoint(
    const Snapshot& snapshot, const std::filesystem::path& checkpoint, int threads, const JobContext& job);

/// The same model under another recipe; only stages after the change are computed again.
Result<Snapshot> withRecipe(const Snapshot& snapshot, Recipe recipe);

} // namespace duo
