// SPDX-License-Identifier: Apache-2.0
#include "core/outline/class_attributes.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

struct Row {
    std::string_view className; // its last name
    std::string_view opType;
    std::string_view attribute;
    std::string_view name; // in the class; of the same meaning as the attribute
};

constexpr auto kRows = std::to_array<Row>({
    {"LayerNorm", "LayerNormalization", "epsilon", "eps"},
    {"RMSNorm", "RMSNormalization", "epsilon", "eps"},
    {"GroupNorm", "GroupNormalization", "epsilon", "eps"},
    {"GroupNorm", "GroupNormalization", "num_groups", "num_groups"},
    {"BatchNorm1d", "BatchNormalization", "epsilon", "eps"},
    {"BatchNorm2d", "BatchNormalization", "epsilon", "eps"},
    {"BatchNorm3d", "BatchNormalization", "epsilon", "eps"},
    {"InstanceNorm1d", "InstanceNormalization", "epsilon", "eps"},
    {"InstanceNorm2d", "InstanceNormalization", "epsilon", "eps"},
    {"InstanceNorm3d", "InstanceNormalization", "epsilon", "eps"},
    {"Conv1d", "Conv", "strides", "stride"},
    {"Conv1d", "Conv", "dilations", "dilation"},
    {"Conv1d", "Conv", "group", "groups"},
    {"Conv2d", "Conv", "strides", "stride"},
    {"Conv2d", "Conv", "dilations", "dilation"},
    {"Conv2d", "Conv", "group", "groups"},
    {"Conv3d", "Conv", "strides", "stride"},
    {"Conv3d", "Conv", "dilations", "dilation"},
    {"Conv3d", "Conv", "group", "groups"},
    {"ConvTranspose1d", "ConvTranspose", "strides", "stride"},
    {"ConvTranspose2d", "ConvTranspose", "strides", "stride"},
    {"ConvTranspose3d", "ConvTranspose", "strides", "stride"},
    {"MaxPool1d", "MaxPool", "kernel_shape", "kernel_size"},
    {"MaxPool2d", "MaxPool", "kernel_shape", "kernel_size"},
    {"MaxPool3d", "MaxPool", "kernel_shape", "kernel_size"},
    {"MaxPool1d", "MaxPool", "strides", "stride"},
    {"MaxPool2d", "MaxPool", "strides", "stride"},
    {"MaxPool3d", "MaxPool", "strides", "stride"},
    {"AvgPool1d", "AveragePool", "kernel_shape", "kernel_size"},
    {"AvgPool2d", "AveragePool", "kernel_shape", "kernel_size"},
    {"AvgPool3d", "AveragePool", "kernel_shape", "kernel_size"},
    {"Softmax", "Softmax", "axis", "dim"},
    {"LogSoftmax", "LogSoftmax", "axis", "dim"},
    {"LeakyReLU", "LeakyRelu", "alpha", "negative_slope"},
    {"ELU", "Elu", "alpha", "alpha"},
    {"CELU", "Celu", "alpha", "alpha"},
    {"Hardshrink", "Shrink", "lambd", "lambd"},
    {"GELU", "Gelu", "approximate", "approximate"},
    {"PixelShuffle", "DepthToSpace", "blocksize", "upscale_factor"},
    {"Flatten", "Flatten", "axis", "start_dim"},
});

} // namespace

std::string_view classAttribute(std::string_view className, std::string_view opType, std::string_view attribute)
{
    if (!className.starts_with("torch.nn."))
        return {};
    const std::string_view last = className.substr(className.rfind('.') + 1);
    const auto row = std::ranges::find_if(kRows,
        [&](const Row& one) { return one.className == last && one.opType == opType && one.attribute == attribute; });
    return row == kRows.end() ? std::string_view() : row->name;
}

} // namespace duo
