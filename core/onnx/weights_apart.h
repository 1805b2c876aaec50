// SPDX-License-Identifier: Apache-2.0
// Weights apart: an edited model whose large weights stay where they lie in memory.
#pragma once

#include "core/onnx/edited_model.h"

#include <map>
#include <string>

namespace duo {

/// Makes the large initializers of the main graph external, each under a location of its own that `files` does not use.
/// Those of the edits stay inline. O(initializers). @return the bytes by location
std::map<std::string, SharedBytes> leaveWeightsApart(EditedModel& edited, const ExternalFiles& files);

} // namespace duo
