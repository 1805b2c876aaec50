// SPDX-License-Identifier: Apache-2.0
// Kept halves: which nodes of a model could compute in 16 bits, as the text of a file, to be shown again another time
// (resources/docs/session.md, "Half precision").
#pragma once

#include "core/model/model.h"
#include "core/quantize/recipe/recipe.h"
#include "core/support/file_stamp.h"
#include "core/transform/pass_report.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace duo {

/// What is longer is not read.
inline constexpr std::size_t kLongestHalves = std::size_t{64} << 20; // bytes

/// What was found, and the recipe it was found under: its transforms and what it keeps in float count.
struct KeptHalves {
    PassReport report;
    Recipe recipe;
};

/// @param model that was measured, after the transforms of the recipe, of a file of that stamp
std::string keptHalvesText(const KeptHalves& kept, const Model& model, const FileStamp& stamp);

/// Keys that are not known are passed over. @return BadData: what is wrong, `name` with the key, or that it is of
/// another model
Result<KeptHalves> parseKeptHalves(
    std::string_view text, const Model& model, const FileStamp& stamp, const std::string& name);

} // namespace duo
