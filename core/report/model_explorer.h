// SPDX-License-Identifier: Apache-2.0
// Files of Model Explorer (https://github.com/google-ai-edge/model-explorer): values beside the nodes of a model, and
// the graph itself.
#pragma once

#include "core/quantize/placement.h"
#include "core/scope/facts/scopes.h"

#include <string>
#include <string_view>

namespace duo {

/// The state of every node as JSON, under the name of its first output, which Model Explorer finds in any load of the
/// ONNX file. O(nodes).
std::string modelExplorerText(const Model& model, const Placement& placement);

/// The graph as JSON: nodes by name in their execution scopes, with state, reasons and quantizers. What stands in
/// bodies of nodes stands beside these. O((nodes + edges) * log(nodes)).
/// @param label what the graph is called there
std::string modelExplorerGraph(
    const Model& model, const Scopes& scopes, const Placement& placement, std::string_view label);

/// Which nodes of two such graphs belong together, as JSON for its view of two graphs side by side: of the file, left,
/// and of what transforms made of it, right. Nodes of one name need no entry. O(nodes * log(nodes)).
std::string modelExplorerSync(const Model& file, const Model& model);

} // namespace duo
