// SPDX-License-Identifier: Apache-2.0
// Rows of weights in codes under activations in float.
#include "tests/core/analysis/fusion_rows.h"

namespace duo::test {
namespace {

constexpr auto kInt4 = onnx::TensorProto::INT4;
constexpr auto kUInt4 = onnx::TensorProto::UINT4;
constexpr auto kInt8 = onnx::TensorProto::INT8;
constexpr auto kUInt8 = onnx::TensorProto::UINT8;
constexpr int kOpset = 21;

std::string rows(Graph& g)
{
    return g.input("x", {2, 64});
}

BuildRow blocked(const char* opType, onnx::TensorProto::DataType type, int block, bool hasZeroPoint = false)
{
    return [=](Graph& g) {
        return g.node(opType, {rows(g), g.blockedWeight({64, 64}, type, 0, block, hasZeroPoint)}, "op");
    };
}

BuildRow whole(onnx::TensorProto::DataType type, std::optional<int> axis)
{
    return [=](Graph& g) { return g.node("MatMul", {rows(g), g.weight({64, 64}, axis, type)}, "op"); };
}

} // namespace

std::vector<FusionRow> weightOnlyRows()
{
    const auto unread = Fallback::FloatInput;
    return {
        {"Int4Block32", blocked("MatMul", kInt4, 32), "MatMulNBits", unread, kOpset},
        {"Int4Block64", blocked("MatMul", kInt4, 64), "MatMulNBits", unread, kOpset},
        {"UInt4Block32ZeroPoint", blocked("MatMul", kUInt4, 32, true), "MatMulNBits", unread, kOpset},
        {"Int4GemmBlock32", blocked("Gemm", kInt4, 32), "MatMulNBits", unread, kOpset},
        {"Int4GemmBias",
            [](Graph& g) {
                return g.node("Gemm", {rows(g), g.blockedWeight({64, 64}, kInt4, 0, 32, false), g.floats({64})}, "op");
            },
            "MatMulNBits", unread, kOpset},
        {"Int4PerChannel", whole(kInt4, 1), "MatMulNBits", unread, kOpset},
        {"Int4PerTensor", whole(kInt4, {}), "MatMulNBits", unread, kOpset},
        {"Int8Block32", blocked("MatMul", kInt8, 32), "MatMulNBits", unread, kOpset},
        {"UInt8Block32", blocked("MatMul", kUInt8, 32, true), "MatMulNBits", unread, kOpset},
        {"Int8PerChannelOpset17", whole(kInt8, 1), "MatMulNBits", unread},
        {"Int8PerTensor", whole(kInt8, {}), "MatMulNBits", unread, kOpset},
        {"Int4BlocksAlongOutputs",
            [](Graph& g) {
                return g.node("MatMul", {rows(g), g.blockedWeight({64, 64}, kInt4, 1, 32, false)}, "op");
            },
            "MatMul", unread, kOpset},
        {"Int4GemmTransposed",
            [](Graph& g) {
                return g.node("Gemm", {rows(g), g.blockedWeight({64, 64}, kInt4, 1, 32, false)}, "op", {{"transB", 1}});
            },
            "Gemm", unread, kOpset},
        {"Int4BehindTranspose",
            [](Graph& g) {
                const std::string w = g.node("Transpose", {g.blockedWeight({64, 64}, kInt4, 1, 32, false)});
                return g.node("MatMul", {rows(g), w}, "op");
            },
            "FusedMatMul", unread, kOpset},
    };
}

} // namespace duo::test
