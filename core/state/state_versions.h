// SPDX-License-Identifier: Apache-2.0
// Versions of the state file: what each changed, and how one of an older version becomes one of the newest
// (resources/docs/state.md, "Versions").
#pragma once

#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace duo {

inline constexpr const char* kStateFormat = "duoscope-compression-state"; // what the key "format" says

/// A document as the newest version has it, but for its `version`, and for what only the reader can tell to be missing:
/// that 5 lists all nodes that stay in float. `unlike`: what is not as it was written, by the digests in it, a key
/// each; a state of version 1 holds none.
struct NewestState {
    nlohmann::ordered_json json;
    std::vector<std::string> unlike;
};

/// @return BadState for what is no compression state, or of a version newer than this program's
Result<NewestState> inNewestVersion(nlohmann::ordered_json json, const std::string& file);

/// Adds the digests of all that a document of the newest version holds.
void addDigests(nlohmann::ordered_json& json);

} // namespace duo
