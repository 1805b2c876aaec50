// SPDX-License-Identifier: Apache-2.0
// Setups of files, to be compared.
#pragma once

#include "core/onnx/reader.h"
#include "core/state/setup_difference.h"
#include "core/support/job.h"

#include <filesystem>

namespace duo {

/// Of a compression state, a recipe (rules in any form that is read) or a quantized model, told by content.
/// @return what StateText::read(), readRecipe() and readModelFile() return
Result<ComparableSetup> readSetup(
    const std::filesystem::path& path, const ReadOptions& options = {}, const JobContext& job = {});

/// Two recipes; two states; a recipe and the recipe of a state; two models.
/// @return readSetup()'s; Usage for a model beside something else
Result<SetupDifference> compareSetups(const std::filesystem::path& first, const std::filesystem::path& second,
    const ReadOptions& options = {}, const JobContext& job = {});

/// Of what both sources say: a recipe has no quantizers and corrections, and says nothing of data.
SetupDifference differenceOf(ComparableSetup first, ComparableSetup second);

} // namespace duo
