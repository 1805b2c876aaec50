// SPDX-License-Identifier: Apache-2.0
// The JSON header of a safetensors file (huggingface/safetensors, README "Format").
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

struct SafetensorsEntry {
    std::string name;
    std::string dtype; // "F32"
    std::vector<std::int64_t> shape; // each >= 0
    std::int64_t begin = 0; // bytes from the start of the data
    std::int64_t end = 0; // >= begin
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries; // in header order
    std::vector<std::pair<std::string, std::string>> metadata;
};

/// Parses the header strictly: every entry has its three parts, numbers are integers >= 0, names are there once.
/// Memory is bounded by the text. `where` names the file. @return MalformedModel naming the entry
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, const std::string& where);

} // namespace duo
