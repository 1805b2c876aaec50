// SPDX-License-Identifier: Apache-2.0
// engineNote: what to know of an engine that is another one than plans are made for.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/settings.h"

#include <optional>
#include <string>

namespace duo {

/// @param version of ONNX Runtime, "1.21.1"
/// @return nothing for the version that the table of operators was measured on, and for profiles of other runtimes
std::optional<Note> engineNote(Profile profile, const std::string& version);

} // namespace duo
