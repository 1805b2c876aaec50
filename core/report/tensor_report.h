// SPDX-License-Identifier: Apache-2.0
// What a parameter holds, as JSON and as text.
#pragma once

#include "core/analysis/tensor_summary.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The member `tensor` of `inspect --tensor` (resources/schemas/inspect.schema.json).
nlohmann::ordered_json tensorJson(const Tensor& tensor, const TensorSummary& summary);
/// "float32[16,1,3,3], 144 values from -0.5 to 0.4, mean 0.01, deviation 0.1, 3 zeros"; then channels, a line each, the
/// first twenty.
std::string tensorText(const Tensor& tensor, const TensorSummary& summary);
/// Its first line, without the channels.
std::string spreadText(const TensorSummary& summary);

} // namespace duo
