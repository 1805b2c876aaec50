// SPDX-License-Identifier: Apache-2.0
// Setting effects: what other values of a setting would change in a model, told without data.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/recipe/setting_table.h"
#include "core/support/job.h"

#include <optional>
#include <string>
#include <vector>

namespace duo {

struct SettingEffect {
    std::optional<std::string> value; // as settingText; nothing: left out
    std::string text; // "12 of 40 quantizers become per-channel", "nothing changes here": without full stop
    bool operator==(const SettingEffect&) const = default;
};

/// Of every value that the setting could be chosen to have instead; of a number once, for any other. What depends on
/// data says so. As many placements as there are values, where it is about the placement.
/// @return Cancelled, and why there is no placement now
Result<std::vector<SettingEffect>> settingEffects(
    const Snapshot& snapshot, const Setting& setting, const JobContext& job = {});

} // namespace duo
