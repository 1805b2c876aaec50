// SPDX-License-Identifier: Apache-2.0
// setting: a row of the settings' table.
#pragma once

#include "core/quantize/recipe/setting_table.h"

#include <algorithm>
#include <string_view>

namespace duo::test {

/// @param key of one that there is
inline const Setting& setting(std::string_view key)
{
    return *std::ranges::find(settingTable(), key, &Setting::key);
}

} // namespace duo::test
