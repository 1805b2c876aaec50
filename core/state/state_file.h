// SPDX-License-Identifier: Apache-2.0
// The file of a compression state beside an export, and what it tells without the model that it was made for: of an
// export that is opened again there is only the quantized one.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/kept_float.h"
#include "core/quantize/recipe/recipe.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace duo {

inline constexpr std::string_view kStateDigestKey = "duoscope.state_digest"; // of an export: textHash of its state
inline constexpr std::size_t kMaxStateBytes = std::size_t{1} << 30U;

/// `m.int8.onnx` -> `m.int8.state.json`: the last extension replaced.
std::filesystem::path statePathFor(const std::filesystem::path& model);

struct StateSummary {
    std::filesystem::path path; // of the state
    Recipe recipe;
    std::int64_t quantizers = 0;
    std::int64_t samples = 0; // measured on
    std::vector<std::pair<std::string, KeptFloat>> keptFloat; // by name of the node
};

/// Of the state that the model says it was exported with, where it lies beside it, unchanged. O(size of the state).
/// @return nothing for a model that is no export, or whose state is elsewhere; BadState
Result<std::optional<StateSummary>> stateOfExport(const Model& model);

} // namespace duo
