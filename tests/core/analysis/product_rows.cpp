// SPDX-License-Identifier: Apache-2.0
// Rows of matrix products.
#include "tests/core/analysis/fusion_rows.h"

namespace duo::test {
namespace {

std::string rows(Graph& g, Codes codes = kU8)
{
    return g.input8("x", {2, 8}, codes);
}

std::string product(Graph& g, const char* opType = "MatMul", Codes codes = kU8)
{
    return g.node(opType, {rows(g, codes), g.weight({8, 8}, 1)}, "op");
}

} // namespace

std::vector<FusionRow> productRows()
{
    return {
        {"MatMul", [](Graph& g) { return g.dq(product(g)); }, "QLinearMatMul"},
        {"MatMulNothingBehind", [](Graph& g) { return product(g); }, "MatMulIntegerToFloat"},
        {"MatMulOfActivations",
            [](Graph& g) {
                const std::string x = rows(g);
                return g.dq(g.node("MatMul", {x, g.input8("z", {8, 4})}, "op"));
            },
            "QLinearMatMul"},
        {"MatMulBias",
            [](Graph& g) {
                return g.dq(g.node("Add", {product(g), g.floats({8})}));
            },
            "QGemm"},
        {"MatMulBiasRelu",
            [](Graph& g) {
                return g.node("Relu", {g.node("Add", {product(g), g.floats({8})})});
            },
            "FusedGemm", Fallback::FusedActivation},
        {"MatMulRowBias",
            [](Graph& g) {
                return g.node("Exp", {g.node("Add", {product(g), g.floats({1, 8})})});
            },
            "Gemm Exp", Fallback::FloatBias},
        {"MatMulAddsData",
            [](Graph& g) {
                return g.node("Exp", {g.node("Add", {product(g), g.input("z", {2, 8})})});
            },
            "Gemm Exp", Fallback::FloatBias},
        {"GemmAddsMatrix",
            [](Graph& g) {
                return g.node("Gemm", {rows(g), g.weight({8, 8}, 1), g.floats({2, 8})}, "op");
            },
            "Gemm", Fallback::FloatBias},
        {"GemmAddsMatrixRelu",
            [](Graph& g) {
                return g.node("Relu", {g.node("Gemm", {rows(g), g.weight({8, 8}, 1), g.floats({2, 8})}, "op")});
            },
            "FusedGemm", Fallback::FloatBias},
        {"GemmAddsMatrixApart",
            [](Graph& g) {
                return g.node("Relu", {g.node("Add", {product(g, "Gemm"), g.floats({2, 8})})});
            },
            "QGemm Add Relu"},
        {"MatMulRelu", [](Graph& g) { return g.dq(g.node("Relu", {product(g)})); }, "QLinearMatMul"},
        {"MatMulReluBeyond", [](Graph& g) { return g.dq(g.node("Relu", {product(g)}), kU8Shifted); }, "MatMul Relu",
            Fallback::ClampNotImplied},
        {"MatMulReluNothingBehind", [](Graph& g) { return g.node("Exp", {g.node("Relu", {product(g)})}); },
            "MatMul Relu Exp", Fallback::FloatClamp},
        {"GemmClipBeyond",
            [](Graph& g) {
                return g.dq(g.node("Clip", {product(g, "Gemm"), g.floats({}, {-1}), g.floats({}, {1})}));
            },
            "Gemm Clip", Fallback::ClampNotImplied},
        {"MatMulBarrierRelu",
            [](Graph& g) { return g.node("Exp", {g.node("Relu", {g.node("LeakyRelu", {product(g)})})}); },
            "MatMulIntegerToFloat LeakyRelu Relu Exp"},
        {"MatMulReadInBoth",
            [](Graph& g) {
                const std::string y = product(g);
                return g.node("Mul", {g.node("Exp", {y}), g.node("MatMul", {g.dq(y), g.weight({8, 8}, 1)})});
            },
            "MatMul MatMulIntegerToFloat Exp Mul", Fallback::NoQuantizerBehind},
        {"MatMulSigned", [](Graph& g) { return g.dq(product(g, "MatMul", kS8), kS8); }, "QLinearMatMul"},
        {"MatMulSignedNothingBehind", [](Graph& g) { return product(g, "MatMul", kS8); }, "MatMulIntegerToFloat"},
        {"MatMulBiasSigned",
            [](Graph& g) {
                return g.dq(g.node("Add", {product(g, "MatMul", kS8), g.floats({8})}), kS8);
            },
            "QGemm"},
        {"GemmSigned", [](Graph& g) { return product(g, "Gemm", kS8); }, "QGemm"},
        {"Gemm", [](Graph& g) { return g.dq(product(g, "Gemm")); }, "QGemm"},
        {"GemmNothingBehind", [](Graph& g) { return product(g, "Gemm"); }, "QGemm"},
        {"GemmTransposed",
            [](Graph& g) {
                return g.dq(g.node("Gemm", {rows(g), g.weight({4, 8}, 0), g.floats({4})}, "op", {{"transB", 1}}));
            },
            "QGemm"},
        {"GemmScaledBias",
            [](Graph& g) {
                const std::string y = g.node("Gemm", {rows(g), g.weight({8, 8}, 1), g.floats({8})}, "op");
                auto* beta = g.last().add_attribute();
                beta->set_name("beta");
                beta->set_type(onnx::AttributeProto::FLOAT);
                beta->set_f(2.0F);
                return g.dq(y);
            },
            "Gemm", Fallback::ScaledBias},
        {"Int8Table",
            [](Graph& g) {
                return g.node("Gather", {g.weight({8, 4}, 0), g.ints({1, 2})}, "op");
            },
            "Gather", Fallback::NoQuantizerBehind},
        {"MatMulPerTensor",
            [](Graph& g) {
                return g.dq(g.node("MatMul", {rows(g), g.weight({8, 8})}, "op"));
            },
            "QLinearMatMul"},
        {"MatMulBiasOfThreeAxes",
            [](Graph& g) {
                const std::string x = g.input8("x", {1, 2, 8});
                return g.dq(g.node("Add", {g.node("MatMul", {x, g.weight({8, 8}, 1)}, "op"), g.floats({8})}));
            },
            "Reshape QGemm Reshape"},
        {"MatMulInt32BiasOfThreeAxesNothingBehind",
            [](Graph& g) {
                const std::string x = g.input8("x", {1, 2, 8});
                return g.node("Add", {g.bias(8), g.node("MatMul", {x, g.weight({8, 8}, 1)}, "op")});
            },
            "Reshape QGemm Reshape"},
        {"MatMulAddsNumber",
            [](Graph& g) {
                return g.node("Sigmoid", {g.node("Add", {product(g), g.floats({1})})});
            },
            "MatMulIntegerToFloat Add Sigmoid"},
        {"MatMulAddsColumn",
            [](Graph& g) {
                return g.node("Sigmoid", {g.node("Add", {product(g), g.floats({2, 1})})});
            },
            "FusedGemm", Fallback::FloatBias},
        {"MatMulFloatBiasOfThreeAxes",
            [](Graph& g) {
                const std::string x = g.input8("x", {1, 2, 8});
                const std::string y = g.node("MatMul", {x, g.weight({8, 8}, 1)}, "op");
                return g.node("Sigmoid", {g.node("Add", {y, g.floats({8})})});
            },
            "Reshape Gemm Reshape Sigmoid", Fallback::FloatBias},
        {"MatMulFloatBiasOfOneAxis",
            [](Graph& g) {
                const std::string y = g.node("MatMul", {g.input8("x", {8}), g.weight({8, 8}, 1)}, "op");
                return g.node("Sigmoid", {g.node("Add", {y, g.floats({8})})});
            },
            "Reshape Gemm Reshape Sigmoid", Fallback::FloatBias},
        {"MatMulFloatRowOfThreeAxes",
            [](Graph& g) {
                const std::string x = g.input8("x", {1, 2, 8});
                const std::string y = g.node("MatMul", {x, g.weight({8, 8}, 1)}, "op");
                return g.node("Sigmoid", {g.node("Add", {y, g.floats({1, 8})})});
            },
            "MatMulIntegerToFloat Add Sigmoid"},
        {"MatMulFloatBiasOfUnknownSize",
            [](Graph& g) {
                const std::string x = g.input8("x", {-1, 2, 8});
                const std::string y = g.node("MatMul", {x, g.weight({8, 8}, 1)}, "op");
                return g.node("Sigmoid", {g.node("Add", {y, g.floats({8})})});
            },
            "MatMulIntegerToFloat Add Sigmoid"},
        {"GemmBias",
            [](Graph& g) {
                return g.dq(g.node("Gemm", {rows(g), g.weight({8, 8}, 1), g.floats({8})}, "op"));
            },
            "QGemm"},
        {"GemmTransposedNothingBehind",
            [](Graph& g) {
                return g.node("Gemm", {rows(g), g.weight({4, 8}, 0)}, "op", {{"transB", 1}});
            },
            "QGemm"},
    };
}

} // namespace duo::test
