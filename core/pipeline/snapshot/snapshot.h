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
#include "core/transform/pass_report.h"

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

/// The model as it was opened, where calls of its functions were written out, or the recipe's transforms made another
/// one of it.
struct OpenedModel {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const ContentMatches> matches; // as in Snapshot, likewise the next two
    std::shared_ptr<const std::string> scopeRecord;
    std::shared_ptr<const Scopes> scopes;
};

struct Snapshot {
    std::shared_ptr<const Model> model; // without calls of functions; with the recipe's transforms: what they made
    std::shared_ptr<const OpenedModel> opened; // before; null where it is the same
    std::shared_ptr<const TransformReport> transforms; // what they did; never null where `opened` is there
    std::shared_ptr<const Checkpoint> checkpoint; // opened beside the model; null for most
    std::shared_ptr<const ContentMatches>
        matches; // of both; null without a checkpoint, and of a model made by transforms
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

/// The same of a model that was read, as it is, whatever its opset.
Result<Snapshot> scopesOf(
    std::shared_ptr<const Model> model, const OpenOptions& options = {}, const JobContext& job = {});

/// Reads the files and computes everything that needs no data, with an empty recipe.
Result<Snapshot> openSnapshot(
    const std::filesystem::path& path, const OpenOptions& options = {}, const JobContext& job = {});

/// The same model, rules and settings with another checkpoint, or none (""); scopes and what follows are found again.
Result<Snapshot> withCheckpoint(
    const Snapshot& snapshot, const std::filesystem::path& checkpoint, int threads, const JobContext& job);

/// The same model under another recipe; only stages after the change are computed again. Calls of functions are
/// written out first (written_out_calls.h), whatever the recipe says. Other transforms start from
/// the model as it was opened, and run the engine. Rules and scopes are those of the model as it was opened, wherever
/// its nodes are by now (core/rules/carry_hits.h). @return errors of transformModel()
Result<Snapshot> withRecipe(const Snapshot& snapshot, Recipe recipe, const JobContext& job = {});

/// Whether an export computes what its codes are not for in floats of 16 bits, as far as their values fit: the recipe
/// asks for Float16, and its profile's runtime computes in the types of the file.
bool isHalvedInExport(const Snapshot& snapshot);

/// As it was opened, without a recipe; `snapshot` itself where no transforms ran.
Snapshot beforeTransforms(const Snapshot& snapshot);

} // namespace duo
