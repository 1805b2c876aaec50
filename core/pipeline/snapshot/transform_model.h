// SPDX-License-Identifier: Apache-2.0
// The stages of passes run on a whole model, with an account of what each did.
#pragma once

#include "core/model/model.h"
#include "core/quantize/recipe/transform_options.h"
#include "core/scope/scope.h"
#include "core/support/job.h"
#include "core/transform/pass_report.h"

#include <memory>

namespace duo {

struct Transformed {
    std::shared_ptr<const Model> model; // the one given where nothing was done
    TransformReport report;
};

/// The passes of stage Common, in their order, until none changes anything; then those of the target, and both again
/// until none does. Unnamed nodes get the names they are shown
/// by, so that every node that stays has its name. O(rounds * structure); rounds are bounded.
/// @param scopes of the model, which the report and the rules of what is kept go by; null: as the model tells them
/// @return Usage for an unknown target, an unknown pass or a rule that cannot be evaluated; Unsupported for a model
/// that is no ONNX file or lacks its external data; Internal for a pass that breaks the model, naming it; Cancelled
Result<Transformed> transformModel(const std::shared_ptr<const Model>& model, const TransformOptions& options = {},
    const JobContext& job = {}, const Scopes* scopes = nullptr);

} // namespace duo
