// SPDX-License-Identifier: Apache-2.0
// Quantizer setups as NNCF itself reads and writes them (SingleConfigQuantizerSetup), alone or in the compression state
// of its checkpoints (resources/docs/interchange.md, "Setups of NNCF").
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/quantizer_setup.h"
#include "core/state/recorded_setup.h"

#include <string>
#include <string_view>
#include <vector>

namespace duo {

struct NncfSetup {
    RecordedSetup setup; // weights without a port
    std::vector<std::string> notExpressed; // other parts of the file, a sentence each
};

inline constexpr std::string_view kNncfSetupForm = "nncf-setup";

/// Whether a JSON text is one; O(length).
bool looksLikeNncfSetup(std::string_view text);

/// @return BadData naming the entry of `name` that is missing, not known, of the wrong kind or no point
Result<NncfSetup> parseNncfSetup(std::string_view text, const std::string& name);

enum class NncfForm { Setup, CompressionState };

/// JSON with a final line break. `lost`: what NNCF has no word for, a sentence each.
struct NncfText {
    std::string text;
    std::vector<std::string> lost;
};
NncfText nncfSetupText(const Model& model, const QuantizerSetup& setup, NncfForm form);

} // namespace duo
