// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/layer_names.h"

#include "core/support/digits.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

/// What MXNet, Caffe, Darknet, CoreML, Keras and PaddlePaddle call the parameters of a layer.
constexpr std::array<std::string_view, 32> kLeaves{"B", "C", "R", "W", "alpha", "b", "beta", "bias", "bias0", "biases",
    "bn_bias", "conv_bias", "conv_weights", "depthwise_kernel", "embeddings", "gamma", "kernel", "mean", "moving_mean",
    "moving_var", "moving_variance", "offset", "pointwise_kernel", "recurrent_kernel", "running_mean", "running_var",
    "scale", "slope", "var", "variance", "weight", "weights"};

constexpr std::string_view kForward = "_fwd";
constexpr std::size_t kDeepest = 64; // parts of a layer's name

bool isLeaf(std::string_view text)
{
    return std::ranges::find(kLeaves, text) != kLeaves.end();
}

/// "w_0" and "tmp_3" of PaddlePaddle.
bool isNumbered(std::string_view text, std::string_view word)
{
    return text.starts_with(word) && allDigits(text.substr(word.size()));
}

std::string_view withoutOutputNumber(std::string_view name)
{
    const std::size_t colon = name.rfind(':');
    return colon != std::string_view::npos && allDigits(name.substr(colon + 1)) ? name.substr(0, colon) : name;
}

} // namespace

std::optional<LayerTensor> layerTensor(std::string_view tensorName)
{
    const std::string_view name = withoutOutputNumber(tensorName);
    if (const std::size_t slash = name.rfind('/'); slash != std::string_view::npos && isLeaf(name.substr(slash + 1)))
        return slash == 0 ? std::nullopt : std::optional(LayerTensor{name.substr(0, slash), name.substr(slash + 1)});
    if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot > 0 && dot + 1 < name.size())
        return LayerTensor{name.substr(0, dot), name.substr(dot + 1)};
    for (std::size_t at = name.find('_', 1); at != std::string_view::npos; at = name.find('_', at + 1)) {
        if (isLeaf(name.substr(at + 1))) // the longest leaf: "bn_conv_weights" has "conv_weights"
            return LayerTensor{name.substr(0, at), name.substr(at + 1)};
    }
    return std::nullopt;
}

std::string_view layerOfNode(std::string_view nodeName)
{
    if (nodeName.starts_with("val_") && allDigits(nodeName.substr(4))) // torch.export's own, whatever came after it
        return {};
    const std::size_t hash = nodeName.rfind('#');
    if (hash != std::string_view::npos && hash > 0) {
        const std::string_view number = nodeName.substr(hash + 1);
        if (allDigits(number.substr(0, number.find('.'))))
            return nodeName.substr(0, hash);
    }
    if (isForward(nodeName))
        return nodeName.substr(0, nodeName.size() - kForward.size());
    return nodeName;
}

bool isForward(std::string_view nodeName)
{
    return nodeName.size() > kForward.size() && nodeName.ends_with(kForward);
}

std::optional<std::vector<std::string_view>> layerAtoms(std::string_view layer)
{
    std::vector<std::string_view> atoms;
    for (std::size_t start = 0; start <= layer.size();) {
        const std::size_t end = std::min(layer.find_first_of("/.", start), layer.size());
        if (end == start || atoms.size() == kDeepest)
            return std::nullopt;
        atoms.push_back(layer.substr(start, end - start));
        start = end + 1;
    }
    return atoms;
}

bool isMadeByPaddle(std::string_view name)
{
    if (name.starts_with("p2o.") || name.starts_with("helper.") || name.starts_with("auto."))
        return true;
    const std::size_t at = name.rfind('@');
    return at != std::string_view::npos && at > 0 && allDigits(name.substr(at + 1));
}

bool isPaddleName(std::string_view name)
{
    if (name.starts_with("p2o."))
        return true;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos)
        return false;
    const std::string_view leaf = name.substr(dot + 1);
    return isNumbered(leaf, "tmp_") || isNumbered(leaf, "w_") || isNumbered(leaf, "b_");
}

} // namespace duo
