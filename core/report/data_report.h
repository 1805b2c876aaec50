// SPDX-License-Identifier: Apache-2.0
// What samples look like, as JSON and as text.
#pragma once

#include "core/calibrate/samples/dataset_preview.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The member `data` of `inspect --data` (resources/schemas/inspect.schema.json).
nlohmann::ordered_json dataJson(const DatasetPreview& preview);
std::string dataText(const DatasetPreview& preview);

/// "float32[1,3,224,224], from -2.1 to 2.6, mean 0.01, deviation 1.02"; "?" for a size that varies.
std::string inputText(const InputPreview& input);

} // namespace duo
