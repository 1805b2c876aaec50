// SPDX-License-Identifier: Apache-2.0
// What is wanted of the passes that simplify a model (resources/docs/transforms.md, "Options"), and its JSON form.
#pragma once

#include "core/model/element_type.h"
#include "core/rules/rule.h"
#include "core/support/result.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <set>
#include <string>

namespace duo {

struct TransformOptions {
    bool staticShapes = false; // passes that need sizes run as well; what they do holds for the sizes of the file alone
    bool lowPrecision = true; // what dequantizes constants stays as it is
    std::string target = {}; // of transformTargets(), whose passes run behind stage Common; "": that stage alone
    std::int64_t opset = 0; // the newest that the result may need; 0: what the target says
    std::int64_t leastOpset = 0; // what it is raised to; 0: as it is
    std::set<std::string> disabled = {}; // ids of passes
    std::set<std::string> enabled = {}; // ids of passes of stage Target that the target does not name
    /// Float16 or BFloat16: pass "half" is on, and makes these; Undefined: `enabled` says whether it is.
    ElementType half = ElementType::Undefined;
    bool halfPorts = false; // with it: inputs and outputs are of that type, too
    double halfSqnrDb = 45; // that every output has to keep in float16
    RuleSet keep = {}; // what its ignore rules catch is not touched
    bool operator==(const TransformOptions&) const = default;
};

struct Pass;

/// Whether a pass of stage Target runs without being switched on: the target wants it, or an opset or `half` does.
bool isAskedFor(const Pass& pass, const TransformOptions& options);

/// What pass "half" is to make: Float16 where it is switched on and nothing says of which type; nothing: it does not
/// run.
std::optional<ElementType> halfTypeOf(const TransformOptions& options);

nlohmann::ordered_json transformOptionsJson(const TransformOptions& options);
/// @param path of `json`; @return InvalidRule, `where` being the path of the key; also for a pass that there is not
Result<TransformOptions> transformOptionsFromJson(const nlohmann::ordered_json& json, const std::string& path);

} // namespace duo
