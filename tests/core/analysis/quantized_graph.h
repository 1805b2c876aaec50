// SPDX-License-Identifier: Apache-2.0
// QuantizedGraph: tiny networks with quantizers written down in tests, and what ONNX Runtime makes of them.
#pragma once

#include "core/model/model.h"
#include "tests/support/proto_builder.h"

#include <optional>

namespace duo::test {

/// Codes of a quantizer.
struct Codes {
    onnx::TensorProto::DataType type = onnx::TensorProto::UINT8;
    float scale = 0.02F;
    int zeroPoint = 0;
};
inline constexpr Codes kU8{};
inline constexpr Codes kU8Shifted{onnx::TensorProto::UINT8, 0.02F, 128};
inline constexpr Codes kS8{onnx::TensorProto::INT8, 0.02F, 0};
inline constexpr Codes kU16{onnx::TensorProto::UINT16, 0.0001F, 32768};

/// Values are named by the caller; the node to ask about is called "op".
class QuantizedGraph
{
public:
    explicit QuantizedGraph(int opset = 17);

    std::string input(const std::string& name, const std::vector<std::int64_t>& dims); // float
    std::string dq(const std::string& value, Codes codes = kU8); // QuantizeLinear and DequantizeLinear behind a value
    std::string input8(const std::string& name, const std::vector<std::int64_t>& dims, Codes codes = kU8);
    /// int8 codes behind a DequantizeLinear, one scale per entry of `axis`, or one scale at all.
    std::string weight(const std::vector<std::int64_t>& dims, std::optional<int> axis = {},
        onnx::TensorProto::DataType type = onnx::TensorProto::INT8, int zeroPoint = 0);
    /// Codes with one scale per `block` entries along `axis`; opset 21.
    std::string blockedWeight(const std::vector<std::int64_t>& dims, onnx::TensorProto::DataType type, int axis,
        int block, bool hasZeroPoint);
    std::string bias(std::int64_t channels); // int32 behind a DequantizeLinear
    std::string floats(const std::vector<std::int64_t>& dims, const std::vector<float>& values = {0.5F});
    std::string ints(const std::vector<std::int64_t>& values);
    std::string flags(const std::vector<std::int64_t>& dims); // true
    /// A node with one output, whose name comes back.
    std::string node(const std::string& opType, const std::vector<std::string>& inputs, const std::string& name = {},
        const std::vector<std::pair<std::string, std::int64_t>>& attributes = {});
    onnx::NodeProto& last() { return *m_builder.proto().mutable_node(m_builder.proto().node_size() - 1); }
    std::string anotherOutput(); // of the last node
    void addInts(const std::string& attribute, const std::vector<std::int64_t>& values); // to the last node
    void output(const std::string& value); // of any shape

    [[nodiscard]] std::shared_ptr<const Model> model() const;
    /// Operator types that ONNX Runtime runs, in its order, without quantizers and what moves nothing.
    [[nodiscard]] std::string kernels() const;

private:
    std::string fresh(const std::string& stem) { return stem + std::to_string(m_next++); }
    std::string scalar(Codes codes, bool zeroPoint);

    ProtoBuilder m_builder;
    int m_next = 0;
};

} // namespace duo::test
