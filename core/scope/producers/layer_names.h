// SPDX-License-Identifier: Apache-2.0
// Tensor names that begin with the name of a layer: "stage1_conv1_weight", "conv5_se_2_offset",
// "000_convolutional_bn_scale".
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace duo {

/// A tensor's name as a layer's and what the layer calls it.
struct LayerTensor {
    std::string_view layer; // "conv5_se_2"; may hold '/'
    std::string_view leaf; // "offset"
};

/// "conv1_weight", "conv1/kernel:0", "conv1_W": a known leaf behind `_` or `/`, or any behind the last dot; nothing for
/// others. What stands before the leaf is a layer only if something else says so: a node of that name that reads the
/// tensor, or a producer known to name tensors like this.
std::optional<LayerTensor> layerTensor(std::string_view tensorName);

/// What a node's name says of the layer it is: "conv1" of "conv1", "conv1_fwd" (MXNet's Gluon), "conv1#0",
/// "conv1#2.end" (AIMET).
std::string_view layerOfNode(std::string_view nodeName);

/// "conv0_fwd": what a layer of MXNet's Gluon computes.
bool isForward(std::string_view nodeName);

/// The parts of a layer's name, at slashes and dots; nothing if one is empty or there are more than 64.
std::optional<std::vector<std::string_view>> layerAtoms(std::string_view layer);

/// Names that paddle2onnx gives by itself: "p2o.helper.constant.12", "Constant@3".
bool isMadeByPaddle(std::string_view name);
/// "relu_2.tmp_0", "conv2d_7.w_0": names that only PaddlePaddle gives.
bool isPaddleName(std::string_view name);

} // namespace duo
