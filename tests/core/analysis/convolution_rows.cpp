// SPDX-License-Identifier: Apache-2.0
// Rows of convolutions and what stands behind them.
#include "tests/core/analysis/fusion_rows.h"

namespace duo::test {
namespace {

const Codes kSixth{onnx::TensorProto::UINT8, 6.0F / 255.0F, 0};
const Codes kBeyondSix{onnx::TensorProto::UINT8, 6.2F / 255.0F, 0};
const Codes kS8AtLowest{onnx::TensorProto::INT8, 0.02F, -128};

std::string clipped(Graph& g, Codes behind)
{
    const std::string x = image(g);
    return g.dq(g.node("Clip", {conv(g, x), g.floats({}, {0.0F}), g.floats({}, {6.0F})}), behind);
}

std::string rectified(Graph& g, Codes behind)
{
    return g.dq(g.node("Relu", {conv(g, image(g))}), behind);
}

} // namespace

std::vector<FusionRow> convolutionRows()
{
    return {
        {"ConvPerChannelInt32Bias", [](Graph& g) { return g.dq(conv(g, image(g))); }, "QLinearConv"},
        {"ConvPerTensor",
            [](Graph& g) {
                return g.dq(g.node("Conv", {image(g), g.weight({4, 4, 1, 1})}, "op"));
            },
            "QLinearConv"},
        {"ConvFloatBias",
            [](Graph& g) {
                return g.dq(g.node("Conv", {image(g), g.weight({4, 4, 1, 1}, 0), g.floats({4})}, "op"));
            },
            "QLinearConv"},
        {"ConvUnsignedWeights",
            [](Graph& g) {
                return g.dq(
                    g.node("Conv", {image(g), g.weight({4, 4, 1, 1}, {}, onnx::TensorProto::UINT8, 120)}, "op"));
            },
            "QLinearConv"},
        {"ConvDepthwise",
            [](Graph& g) {
                return g.dq(g.node("Conv", {image(g), g.weight({4, 1, 3, 3}, 0)}, "op", {{"group", 4}}));
            },
            "QLinearConv"},
        {"ConvSignedAlone", [](Graph& g) { return g.dq(conv(g, image(g, kS8)), kS8); }, "QLinearConv"},
        {"ConvReluAtZero", [](Graph& g) { return g.dq(g.node("Relu", {conv(g, image(g))})); }, "QLinearConv"},
        {"ConvReluShifted", [](Graph& g) { return g.dq(g.node("Relu", {conv(g, image(g))}), kU8Shifted); }, "FusedConv",
            Fallback::ClampNotImplied},
        {"ConvClipInside", [](Graph& g) { return clipped(g, kSixth); }, "QLinearConv"},
        {"ConvClipBeyond", [](Graph& g) { return clipped(g, kBeyondSix); }, "FusedConv", Fallback::ClampNotImplied},
        {"ConvNothingBehind", [](Graph& g) { return conv(g, image(g)); }, "Conv", Fallback::NoQuantizerBehind},
        {"ConvWeightOnly",
            [](Graph& g) {
                return g.node("Conv", {g.input("x", {1, 4, 8, 8}), g.weight({4, 4, 1, 1}, 0)}, "op");
            },
            "Conv", Fallback::FloatInput},
        {"ConvSixteenBits", [](Graph& g) { return g.dq(conv(g, image(g, kU16)), kU16); }, "Conv", Fallback::WideCodes},
        {"ConvTranspose",
            [](Graph& g) {
                return g.dq(g.node("ConvTranspose", {image(g), g.weight({4, 4, 1, 1})}, "op"));
            },
            "ConvTranspose", Fallback::FloatOperator},
        {"ConvSwishWithoutInnerQuantizers",
            [](Graph& g) {
                const std::string c = conv(g, image(g));
                return g.dq(g.node("Mul", {c, g.node("Sigmoid", {c})}));
            },
            "Conv QuickGelu", Fallback::NoQuantizerBehind},
        {"ConvSwishWithInnerQuantizers",
            [](Graph& g) {
                const std::string c = g.dq(conv(g, image(g)));
                return g.dq(g.node("Mul", {c, g.dq(g.node("Sigmoid", {c}))}));
            },
            "QLinearConv QLinearSigmoid QLinearMul"},
        {"ResidualWithoutQuantizer",
            [](Graph& g) {
                const std::string x = image(g);
                return g.dq(g.node("Relu", {g.node("Add", {conv(g, x), x})}));
            },
            "Conv Add", Fallback::FloatAddition},
        {"ResidualWithQuantizer",
            [](Graph& g) {
                const std::string x = image(g);
                return g.dq(g.node("Relu", {g.node("Add", {g.dq(conv(g, x)), x})}));
            },
            "QLinearConv QLinearAdd"},
        {"ConvSignedOutput", [](Graph& g) { return g.dq(conv(g, image(g)), kS8); }, "QLinearConv"},
        {"ConvShiftedSignedWeights",
            [](Graph& g) {
                return g.dq(g.node("Conv", {image(g), g.weight({4, 4, 1, 1}, {}, onnx::TensorProto::INT8, 5)}, "op"));
            },
            "QLinearConv"},
        {"ConvReluSignedAtLowest", [](Graph& g) { return rectified(g, kS8AtLowest); }, "QLinearConv"},
        {"ConvReluSignedAtZero", [](Graph& g) { return rectified(g, kS8); }, "FusedConv", Fallback::ClampNotImplied},
        {"ConvHardSwish", [](Graph& g) { return g.dq(g.node("HardSwish", {g.dq(conv(g, image(g)))})); },
            "QLinearConv HardSigmoid Mul"},
        {"ConvsShareOneDequantizer",
            [](Graph& g) {
                const std::string x = image(g);
                return g.dq(g.node("Add", {g.dq(conv(g, x)), g.dq(conv(g, x, "other"))}));
            },
            "QLinearConv QLinearConv QLinearAdd"},
    };
}

} // namespace duo::test
