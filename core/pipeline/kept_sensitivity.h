// SPDX-License-Identifier: Apache-2.0
// Kept sensitivity: what was measured of where the output error comes from, as the text of a file, to be shown again
// another time (resources/docs/session.md, "Sensitivity").
#pragma once

#include "core/pipeline/session_file.h"
#include "core/report/sensitivity_report.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace duo {

/// What is longer is not read.
inline constexpr std::size_t kLongestSensitivity = std::size_t{64} << 20; // bytes

/// A measurement, the rules and settings it was made under, and what it is of.
struct KeptSensitivity {
    SensitivityReport report;
    Recipe recipe;
    ResultOrigin of;
};

/// @param model that was measured, after the transforms of the recipe
std::string keptSensitivityText(const KeptSensitivity& kept, const Model& model);

/// Keys that are not known are passed over.
/// @param present what it has to be of, whatever its recipe
/// @return BadData: what is wrong, `name` with the key, or that it is of another model or other data
Result<KeptSensitivity> parseKeptSensitivity(
    std::string_view text, const Model& model, const ResultOrigin& present, const std::string& name);

} // namespace duo
