// SPDX-License-Identifier: Apache-2.0
// ConstantPart: the nodes of the main graph and of bodies that give the same in every run, as far as they may be
// computed beforehand.
#pragma once

#include "core/transform/pass.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

struct ConstantPart {
    std::vector<NodeId> nodes; // topological; the Constant nodes that they read among them
    std::vector<ValueId> results; // of these, what is read by others; of at most 64 MB more than what is read by them
    std::vector<PassSkip> skipped; // nodes of constants that are not among them
};

/// What the engine made of a part.
struct ComputedConstants {
    ConstantPart part;
    std::unordered_map<std::uint32_t, NewTensor> tensors; // by value
    std::string problem; // why some are missing: the engine's reason
};

/// Nodes of ONNX's outside of functions and without bodies, all of whose inputs are constants that no caller overrides.
/// Not random ones, nothing whose result is an output of a graph, nothing before IR version 4, and nothing that grows
/// beyond a sixteenth of all constants (1 KB at least, 1 MB at most): a result may be larger only where the constant
/// that it is made of goes for it, or all results of the same constants take no more than these (even_groups.h).
/// O(nodes).
ConstantPart constantPart(const PassScene& scene);

} // namespace duo
