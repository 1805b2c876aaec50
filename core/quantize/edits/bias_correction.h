// SPDX-License-Identifier: Apache-2.0
// Bias correction: what rounding the weights takes from the mean of a node's output, given back by its bias.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/parameters.h"
#include "core/support/job.h"

#include <map>
#include <string>
#include <vector>

namespace duo {

inline constexpr int kBiasCorrectionVersion = 1; // raised when the same shifts make another model

/// What to add to the bias of a node [C], by node.
using BiasShifts = std::map<NodeId, std::vector<float>>;
/// Mean of every channel of a node's data input [C], by node.
using InputMeans = std::map<NodeId, std::vector<double>>;

struct BiasCorrection {
    BiasShifts shifts;
    std::vector<NodeId> skipped; // whose shift is not below `threshold` times the bias, in every channel
};

/// Nodes with a quantized weight at input 1 and a constant bias: Conv, Gemm without transA, MatMul of a matrix with one
/// Add behind it; a MatMul of anything else, if no quantizer stands on what that Add adds.
std::vector<NodeId> correctableNodes(const Model& model, const QuantizerSetup& setup);

/// Mean of W x minus mean of Wq x per output channel [C], with the channel means of x; the closed form of running the
/// node on constant channels, as NNCF does, without padding. A batch norm behind a Conv counts as folded in.
/// O(elements of the weight). @return errors of readWeight
Result<std::vector<float>> meanShift(
    const Model& model, NodeId node, const QuantizationParameters& weight, const std::vector<double>& means);

/// Shifts of all correctable nodes whose input means are known, each on its own: NNCF's fast bias correction.
/// A shift is taken if max |shift / bias| < threshold; a bias with a zero element never is (NNCF 3.4).
Result<BiasCorrection> fastBiasCorrection(const Model& model, const QuantizerSetup& setup,
    const ParametersByPoint& parameters, const InputMeans& means, double threshold, int threads, const JobContext& job);

/// The bias of such a node as it is written, a norm folded in [C].
std::vector<float> biasToCorrect(const Model& model, NodeId node);

/// NNCF's criterion.
bool isShiftTaken(const std::vector<float>& bias, const std::vector<float>& shift, double threshold);

} // namespace duo
