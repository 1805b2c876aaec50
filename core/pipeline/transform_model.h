// SPDX-License-Identifier: Apache-2.0
// The stages of passes run on a whole model, with an account of what each did.
#pragma once

#include "core/model/model.h"
#include "core/rules/rule.h"
#include "core/support/job.h"
#include "core/transform/pass_report.h"

#include <memory>
#include <set>
#include <string>

namespace duo {

struct TransformOptions {
    bool staticShapes = false; // passes that need sizes run as well; what they do holds for the sizes of the file alone
    bool lowPrecision = true; // what dequantizes constants stays as it is
    std::string target = {}; // of transformTargets(), whose passes run behind stage Common; "": that stage alone
    std::set<std::string> disabled = {}; // ids of passes
    RuleSet keep = {}; // what its ignore rules catch is not touched
};

struct Transformed {
    std::shared_ptr<const Model> model; // the one given where nothing was done
    TransformReport report;
};

/// The passes of stage Common, in their order, until none changes anything; then those of the target, and both again
/// until none does. Unnamed nodes get the names they are shown
/// by, so that every node that stays has its name. O(rounds * structure); rounds are bounded.
/// @return Usage for an unknown target, an unknown pass or a rule that cannot be evaluated; Unsupported for a model
/// that is no ONNX file or lacks its external data; Internal for a pass that breaks the model, naming it; Cancelled
Result<Transformed> transformModel(
    const std::shared_ptr<const Model>& model, const TransformOptions& options = {}, const JobContext& job = {});

} // namespace duo
