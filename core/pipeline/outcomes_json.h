// SPDX-License-Identifier: Apache-2.0
// How what became of nodes stands in the JSON of a session (resources/docs/session.md, "The file"): nodes alike are
// told together, by their places, so that it is short for many nodes.
#pragma once

#include "core/pipeline/node_outcomes.h"
#include "core/support/json_keys.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace duo {

nlohmann::ordered_json nodeOutcomesJson(const NodeOutcomes& outcomes);

/// An absent one is null. Places are read as they stand: whether there are such nodes is seen as they are looked for
/// in a plan. @return InvalidRule: JsonKeys
Status readNodeOutcomes(JsonKeys& above, const char* key, std::shared_ptr<const NodeOutcomes>& outcomes);

} // namespace duo
