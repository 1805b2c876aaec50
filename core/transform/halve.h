// SPDX-License-Identifier: Apache-2.0
// Halving: nodes of a float model compute in floats of 16 bits, as far as their values fit
// (resources/docs/transforms.md, "Floats of 16 bits").
#pragma once

#include "core/transform/pass.h"

#include <optional>
#include <string_view>
#include <vector>

namespace duo {

inline constexpr std::string_view kHalfPass = "half"; // its id

const Pass& halfPass();

/// From this opset on QuantizeLinear and DequantizeLinear take scales of 16 bits, and so give such floats.
inline constexpr std::int64_t kHalfScaleOpset = 19;

/// What is asked, and what is known of the values of a model.
struct HalfRequest {
    const Model& model;
    ElementType type = ElementType::Float16; // or BFloat16
    std::vector<std::string> kept = {}; // [nodes] why one stays float, "": it need not; empty: none does
    /// [values] the largest magnitude that data gave; nothing where it was not measured. NaN, infinity: it was there.
    std::vector<std::optional<float>> largest = {};
    /// [values] the smallest magnitude; nothing where both signs are there. Empty: nothing is known
    std::vector<std::optional<float>> smallest = {};
};

struct Halved {
    std::optional<EditList> edits; // nothing: no node can compute in 16 bits
    std::vector<NodeId> nodes; // that compute in them, in topological order
    std::vector<NodeId> quantizers; // beside them, whose scales have 16 bits with them
    std::vector<PassSkip> floats; // others that compute floats, with what keeps them in 32 bits
};

/// Whether what a node computes has a form of 16 bits in its model: of Float16, for some values. O(1)
bool hasHalfForm(const Model& model, const Node& node);

/// Pass "half": what is asked is in the scene. Nothing is done where nothing is.
PassResult halveAsAsked(const PassScene& scene);

/// Nodes of the main graph; bodies, functions, operators without a form of 16 bits stay float, and what works on
/// constants alone, which is told nowhere. A node is halved where all float values that it reads and gives were
/// measured and fit: at most half of the largest number, for other data, and not all of them below 2^-10; its constants
/// no larger than the largest and not all too small. Into a Log, and what else goes by how many times one element is
/// another, go values of a wide range in 32 bits, from where they were last bounded. From opset 19 on QuantizeLinear
/// behind such a node and DequantizeLinear before one have its type, so that a quantized model is typed without casts
/// between; a node whose DequantizeLinear has scales that do not fit stays as well. Casts stand between; inputs and
/// outputs of the model keep their types. O(nodes + reads + weights)
Halved halve(const HalfRequest& request);

/// [values] why inputs and outputs of the main graph cannot be of 16 bits, by what was measured; "": they can, and all
/// others. O(values)
std::vector<std::string> whyNotHalf(const HalfRequest& request);

/// What shows how far outputs move in an engine without kernels of the type: the same nodes compute in 32 bits, and
/// what they read and give is rounded. Nothing where no node is halved. O(nodes + reads + weights)
std::optional<EditList> roundedAsHalved(const HalfRequest& request);

} // namespace duo
