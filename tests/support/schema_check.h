// SPDX-License-Identifier: Apache-2.0
// Checks a JSON document against a schema of resources/schemas.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace duo::test {

/// "" if `document` fits `<name>.schema.json`, else the first complaints with their places.
std::string schemaComplaints(const nlohmann::ordered_json& document, const std::string& name);

} // namespace duo::test
