// SPDX-License-Identifier: Apache-2.0
// What became of a node that is in the file and not in the model that transforms made of it.
#pragma once

#include "core/model/model.h"
#include "core/scope/scope.h"
#include "core/support/result.h"
#include "core/transform/pass_report.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// A model, and what transforms made of it.
struct BeforeAndAfter {
    const Model& opened;
    const Scopes& scopes; // of `opened`
    const Model& model;
    const TransformReport& report;
};

/// Of a node by its name: name, operator, scope, the passes that took it out or changed it, and what it became a part
/// of. @return Usage where the file has no such node, or it is still there; a scope of the file all of whose nodes went
/// is said to be one
Result<nlohmann::ordered_json> goneJson(const BeforeAndAfter& both, const std::string& name);
std::string goneText(const nlohmann::ordered_json& gone);

} // namespace duo
