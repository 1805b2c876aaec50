// SPDX-License-Identifier: Apache-2.0
// What passes did to a model, as JSON and as text.
#pragma once

#include "core/onnx/writer.h"
#include "core/transform/pass_report.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The document of `transform` (resources/schemas/transform.schema.json). @param written without files where nothing
/// was to be written
nlohmann::ordered_json transformJson(const TransformReport& report, const WrittenFiles& written);

/// A line per pass that did something or could not, the scopes it was most in, and what is left.
std::string transformText(const TransformReport& report);

} // namespace duo
