// SPDX-License-Identifier: Apache-2.0
// FloatChanges: rescalings of a float model that leave its function as it is and make it easier to quantize.
#pragma once

#include "core/support/result.h"
#include "core/transform/edit_list.h"

#include <map>
#include <string>
#include <vector>

namespace duo {

enum class FloatChangeKind {
    SmoothQuant, // `value` is multiplied by 1 / scales before `nodes` read it, their weights by scales; what gives it
                 // is divided by them where `foldedInto` names a node
    CrossLayer, // output channels of the first of `nodes` are divided by scales, input channels of the second
                // multiplied
};

inline constexpr int kFloatChangesVersion = 1; // raised when the same change makes another model

/// One change; all that is needed to make it again on the same model.
struct FloatChange {
    FloatChangeKind kind = FloatChangeKind::SmoothQuant;
    std::string value; // SmoothQuant only
    std::vector<std::string> nodes; // names
    std::vector<float> scales; // [channels], > 0 and finite
    std::string foldedInto; // SmoothQuant only: the node whose parameters take the scales; empty: a new Mul does
    bool operator==(const FloatChange&) const = default;
};

/// Largest magnitude of every input channel of a node's constant float32 weight at input 1 [C]: Conv of one group or
/// depthwise, Gemm, MatMul of a matrix. Empty for every other node.
std::vector<float> inputChannelMaxima(const Model& model, NodeId node);
/// The same for output channels.
std::vector<float> outputChannelMaxima(const Model& model, NodeId node);

/// Whether a change can be made on the model, whatever else changes it. @return BadState naming the node or value it
/// does not fit
Status checkFits(const Model& model, const FloatChange& change);

/// The initializers with new values, and the Mul nodes of what is not folded. Changes of the same weight add up.
/// @return BadState naming the node or value a change does not fit, or what it would make larger than a float holds
Result<EditList> floatChangeEdits(const Model& model, const std::vector<FloatChange>& changes);

/// Conv and Gemm that hand their output, through Relu or LeakyRelu at most, to one Conv or Gemm and nobody else: scales
/// sqrt(r1 r2) / r2 of the largest weights per channel make both as large (Nagel et al. 2019, section 4.1), pair by
/// pair until nothing moves. Only channels of unequal maxima are named. O(rounds times pairs times channels + weights).
std::vector<FloatChange> crossLayerChanges(const Model& model);

/// The layer whose input channels equalization scales against a layer's output channels; invalid where there is none.
NodeId pairedLayer(const Model& model, NodeId first);

/// Largest magnitudes of a value's channels [C], by value name.
using ChannelMaxima = std::map<std::string, std::vector<float>>;

/// Per value that products with constant weights read: s = a^alpha / w^(1 - alpha) of the largest activations and
/// weights per channel, both at least 1e-5, clipped to [10 % quantile of s, 100]; of several products the s with the
/// largest min / max (resources/docs/quantization.md, "SmoothQuant").
/// @param matmul, convolution alphas; negative: such nodes are left alone
/// @param folds into the parameters of what gives the value, where that is exact (fold_scales.h); else a Mul each, as
/// NNCF has it. A quantizer between producer and Mul would see the channels as uneven as before.
std::vector<FloatChange> smoothQuantChanges(
    const Model& model, const ChannelMaxima& activations, double matmul, double convolution, bool folds);

} // namespace duo
