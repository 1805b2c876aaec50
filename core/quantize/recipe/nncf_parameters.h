// SPDX-License-Identifier: Apache-2.0
// NNCF's parameters of quantize() that nothing here uses yet: their types, so that a mistake in one is found.
#pragma once

#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace duo {

/// @param rest keys of the settings that are not used; @param path of their object
/// @return InvalidRule, `where` being the path, for a known one of the wrong type; null fits every type
Status checkNncfParameters(const nlohmann::ordered_json& rest, const std::string& path);

/// @param path below the settings: "advanced_parameters.bias_correction_params"
bool isNncfParameter(std::string_view path);

} // namespace duo
