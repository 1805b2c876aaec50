// SPDX-License-Identifier: Apache-2.0
// Rules from the JSON of other tools: NNCF today and before, ONNX Runtime, FSDP.
#pragma once

#include "core/rules/imported_rules.h"
#include "core/support/result.h"

namespace duo {

/// True if a key of the object is one of those read.
bool isRulesJson(const nlohmann::ordered_json& object);

/// IgnoredScope fields (`names`, `patterns`, `types`, `subgraphs`, `validate`), alone or under `ignored_scope`; legacy
/// `ignored_scopes` and `target_scopes`, alone or in the algorithms under `compression`; `nodes_to_exclude`,
/// `nodes_to_quantize`, `op_types_to_quantize`; `ignored_modules`. All that is there is read; scopes of algorithms that
/// do not quantize are kept as unknown, with a note.
/// @return InvalidRule, `where` being the path of the key
Result<ImportedRules> rulesFromJson(const nlohmann::ordered_json& object);

/// A list: of node names, or of algorithms as under `compression`. Errors as above.
Result<ImportedRules> rulesFromJsonList(const nlohmann::ordered_json& list);

} // namespace duo
