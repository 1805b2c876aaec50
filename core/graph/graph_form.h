// SPDX-License-Identifier: Apache-2.0
// GraphForm: the same model before it is quantized, after, and as the engine runs it; what is drawn of each.
#pragma once

#include "core/graph/containment.h"
#include "core/graph/overlay.h"
#include "core/graph/run_graph.h"
#include "core/graph/view_graph.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace duo {

enum class GraphForm : std::uint8_t {
    Original, // the model that was opened
    Compressed, // with the quantizers of its placement
    AsRun, // what ONNX Runtime makes of it
};
inline constexpr std::size_t kGraphForms = static_cast<std::size_t>(GraphForm::AsRun) + 1;

std::string_view graphFormText(GraphForm form); // "original", "compressed", "run": as the command line has it
std::optional<GraphForm> graphFormFrom(std::string_view text);

/// What a picture is made of. Refers to what it was made from.
struct DrawnGraph {
    const Model& model; // whose nodes the boxes are
    const Scopes& scopes;
    const Placement* placement; // null: nothing is said about quantization
    const RunGraph* run; // of which model, scopes and placement are; null for most others
    const Model& original; // which is quantized
};

/// @param placement null where the model cannot be quantized; @param run of AsRun, null: drawn as compressed;
/// of Original that of openedGraph() where transforms ran
DrawnGraph drawnGraph(
    GraphForm form, const Model& model, const Scopes& scopes, const Placement* placement, const RunGraph* run);

/// buildView and buildInside (view_builder.h). A kernel's box is called after its operator and what it came from, and
/// says how it computes.
ViewGraph drawnView(const DrawnGraph& graph, const Containment& containment, const std::set<std::string>& open);
ViewGraph drawnInside(const DrawnGraph& graph, const Containment& containment, std::uint32_t container);

/// Whether such values are of what is run, and not of a plan, or of the float model where an export is run.
bool isOfWhatIsRun(OverlayKind kind, const RunGraph& run);

/// Values of nodes as values of the kernels that came from them; those of scopes stay. Of decisions and precisions what
/// is known of the kernels themselves. Nothing where they are not of what is run. O(nodes + kernels * depth).
std::optional<Overlay> overlayOfKernels(const Overlay& overlay, const RunGraph& run);

} // namespace duo
