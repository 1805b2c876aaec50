// SPDX-License-Identifier: Apache-2.0
// Node data of Model Explorer: values that it shows beside the nodes of a model
// (https://github.com/google-ai-edge/model-explorer).
#pragma once

#include "core/quantize/placement.h"

#include <string>

namespace duo {

/// The state of every node as JSON, under the name of its first output, which Model Explorer finds in any load of the
/// ONNX file. O(nodes).
std::string modelExplorerText(const Model& model, const Placement& placement);

} // namespace duo
