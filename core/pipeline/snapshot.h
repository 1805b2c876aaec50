// SPDX-License-Identifier: Apache-2.0
// Snapshot: what is known so far. Every part is set by exactly one stage; later parts are null until computed.
#pragma once

#include "core/model/model.h"
#include "core/onnx/reader.h"
#include "core/quantize/placement.h"
#include "core/quantize/recipe.h"
#include "core/rules/match.h"
#include "core/scope/scope.h"

#include <memory>
#include <optional>
#include <vector>

namespace duo {

struct Snapshot {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Scopes> scopes;
    Recipe recipe;
    std::shared_ptr<const RuleHits> hits;
    std::shared_ptr<const Placement> placement; // with the rules; null where the model cannot be quantized
    std::shared_ptr<const Placement> unruled; // without any rule: what the rules change
    std::optional<Error> refusal; // why there is no placement (opset below 10)
};

/// Reads the file and computes everything that needs no data, with an empty recipe.
Result<Snapshot> openSnapshot(
    const std::filesystem::path& path, const ReadOptions& options = {}, const JobContext& job = {});

/// The same model under another recipe; only stages after the change are computed again.
Result<Snapshot> withRecipe(const Snapshot& snapshot, Recipe recipe);

/// Nodes of one rule whose outcome it changes: caught by it, and decided differently without any rule.
std::vector<NodeId> effectiveNodes(const Snapshot& snapshot, std::size_t rule);

} // namespace duo
