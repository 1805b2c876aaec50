// SPDX-License-Identifier: Apache-2.0
#include "tests/core/analysis/quantized_graph.h"

#include "core/engine/session.h"
#include "core/onnx/reader.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace duo::test {
namespace {

constexpr const char* kOwnDomain = "com.microsoft";

template <typename T> void append(std::string& bytes, T value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

std::string bytesOf(onnx::TensorProto::DataType type, const std::vector<int>& codes)
{
    const bool isHalfByte = type == onnx::TensorProto::INT4 || type == onnx::TensorProto::UINT4;
    std::string bytes;
    for (std::size_t i = 0; i < codes.size(); ++i) {
        if (type == onnx::TensorProto::INT32)
            append(bytes, static_cast<std::int32_t>(codes[i]));
        else if (type == onnx::TensorProto::UINT16 || type == onnx::TensorProto::INT16)
            append(bytes, static_cast<std::uint16_t>(codes[i]));
        else if (!isHalfByte || i % 2 == 0)
            append(bytes, static_cast<std::uint8_t>(isHalfByte ? codes[i] & 0xF : codes[i]));
        else // the second of two has the high bits
            bytes.back() = static_cast<char>((bytes.back() & 0xF) | (codes[i] & 0xF) << 4);
    }
    return bytes;
}

std::string codeBytes(onnx::TensorProto::DataType type, std::size_t count, int value)
{
    return bytesOf(type, std::vector<int>(count, value));
}

std::string variedBytes(onnx::TensorProto::DataType type, std::size_t count, int zeroPoint)
{
    std::vector<int> codes;
    for (std::size_t i = 0; i < count; ++i)
        codes.push_back(static_cast<int>(i % 7) - 3 + zeroPoint);
    return bytesOf(type, codes);
}

std::size_t elements(const std::vector<std::int64_t>& dims)
{
    std::size_t count = 1;
    for (const std::int64_t dim : dims)
        count *= static_cast<std::size_t>(dim);
    return count;
}

} // namespace

QuantizedGraph::QuantizedGraph(int opset)
{
    m_builder.model().mutable_opset_import(0)->set_version(opset);
    m_builder.model().set_ir_version(opset >= 21 ? 10 : 8);
    auto* own = m_builder.model().add_opset_import();
    own->set_domain(kOwnDomain);
    own->set_version(1);
}

std::string QuantizedGraph::input(const std::string& name, const std::vector<std::int64_t>& dims)
{
    m_builder.input(name, dims);
    return name;
}

std::string QuantizedGraph::scalar(Codes codes, bool zeroPoint)
{
    const std::string name = fresh(zeroPoint ? "zero" : "scale");
    if (!zeroPoint)
        m_builder.weight(name, {}, {codes.scale});
    else
        m_builder.tensor(name, {}, codes.type).set_raw_data(codeBytes(codes.type, 1, codes.zeroPoint));
    return name;
}

std::string QuantizedGraph::dq(const std::string& value, Codes codes)
{
    const std::string scale = scalar(codes, false);
    const std::string zero = scalar(codes, true);
    const bool isWide = codes.type == onnx::TensorProto::UINT16;
    const std::string quantized = fresh("q");
    const std::string result = fresh("dq");
    auto& q = m_builder.node("QuantizeLinear", fresh("Q"), {value, scale, zero}, {quantized});
    auto& d = m_builder.node("DequantizeLinear", fresh("DQ"), {quantized, scale, zero}, {result});
    const bool isOld = m_builder.model().opset_import(0).version() < 21;
    if (isWide && isOld) {
        q.set_domain(kOwnDomain);
        d.set_domain(kOwnDomain);
    }
    return result;
}

std::string QuantizedGraph::input8(const std::string& name, const std::vector<std::int64_t>& dims, Codes codes)
{
    return dq(input(name, dims), codes);
}

std::string QuantizedGraph::weight(
    const std::vector<std::int64_t>& dims, std::optional<int> axis, onnx::TensorProto::DataType type, int zeroPoint)
{
    const std::string stem = fresh("w");
    const auto channels = axis ? std::vector{dims[static_cast<std::size_t>(*axis)]} : std::vector<std::int64_t>{};
    m_builder.tensor(stem, dims, type).set_raw_data(variedBytes(type, elements(dims), zeroPoint));
    m_builder.weight(stem + "_scale", channels, {0.01F});
    m_builder.tensor(stem + "_zero", channels, type).set_raw_data(codeBytes(type, elements(channels), zeroPoint));
    auto& node
        = m_builder.node("DequantizeLinear", stem + "_DQ", {stem, stem + "_scale", stem + "_zero"}, {stem + "_dq"});
    if (axis)
        addInt(node, "axis", *axis);
    return stem + "_dq";
}

std::string QuantizedGraph::blockedWeight(
    const std::vector<std::int64_t>& dims, onnx::TensorProto::DataType type, int axis, int block, bool hasZeroPoint)
{
    const std::string stem = fresh("w");
    std::vector<std::int64_t> blocks = dims;
    blocks[static_cast<std::size_t>(axis)] /= block;
    const bool isSigned = type == onnx::TensorProto::INT8 || type == onnx::TensorProto::INT4;
    const int zeroPoint = isSigned ? 0 : 8;
    m_builder.tensor(stem, dims, type).set_raw_data(variedBytes(type, elements(dims), zeroPoint));
    m_builder.weight(stem + "_scale", blocks, {0.01F});
    std::vector<std::string> inputs{stem, stem + "_scale"};
    if (hasZeroPoint) {
        m_builder.tensor(stem + "_zero", blocks, type).set_raw_data(codeBytes(type, elements(blocks), zeroPoint));
        inputs.push_back(stem + "_zero");
    }
    auto& node = m_builder.node("DequantizeLinear", stem + "_DQ", inputs, {stem + "_dq"});
    addInt(node, "axis", axis);
    addInt(node, "block_size", block);
    return stem + "_dq";
}

std::string QuantizedGraph::bias(std::int64_t channels)
{
    const std::string stem = fresh("b");
    m_builder.tensor(stem, {channels}, onnx::TensorProto::INT32)
        .set_raw_data(codeBytes(onnx::TensorProto::INT32, static_cast<std::size_t>(channels), 7));
    m_builder.weight(stem + "_scale", {channels}, {0.0002F});
    addInt(m_builder.node("DequantizeLinear", stem + "_DQ", {stem, stem + "_scale"}, {stem + "_dq"}), "axis", 0);
    return stem + "_dq";
}

std::string QuantizedGraph::floats(const std::vector<std::int64_t>& dims, const std::vector<float>& values)
{
    const std::string name = fresh("f");
    m_builder.weight(name, dims, values);
    return name;
}

std::string QuantizedGraph::ints(const std::vector<std::int64_t>& values)
{
    const std::string name = fresh("i");
    std::string bytes;
    for (const std::int64_t value : values)
        append(bytes, value);
    m_builder.tensor(name, {static_cast<std::int64_t>(values.size())}, onnx::TensorProto::INT64).set_raw_data(bytes);
    return name;
}

std::string QuantizedGraph::flags(const std::vector<std::int64_t>& dims)
{
    const std::string name = fresh("c");
    m_builder.tensor(name, dims, onnx::TensorProto::BOOL).set_raw_data(std::string(elements(dims), '\1'));
    return name;
}

std::string QuantizedGraph::anotherOutput()
{
    const std::string result = fresh("v");
    last().add_output(result);
    return result;
}

void QuantizedGraph::addInts(const std::string& attribute, const std::vector<std::int64_t>& values)
{
    auto* added = last().add_attribute();
    added->set_name(attribute);
    added->set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t value : values)
        added->add_ints(value);
}

std::string QuantizedGraph::node(const std::string& opType, const std::vector<std::string>& inputs,
    const std::string& name, const std::vector<std::pair<std::string, std::int64_t>>& attributes)
{
    const std::string result = fresh("v");
    auto& added = m_builder.node(opType, name.empty() ? fresh(opType) : name, inputs, {result});
    for (const auto& [key, value] : attributes)
        addInt(added, key, value);
    return result;
}

void QuantizedGraph::output(const std::string& value)
{
    auto* output = m_builder.proto().add_output();
    output->set_name(value);
    output->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
}

std::shared_ptr<const Model> QuantizedGraph::model() const
{
    const TemporaryFolder folder;
    const auto model = readModel(folder.write("m.onnx", m_builder.text()));
    EXPECT_TRUE(model) << model.error().line();
    return model ? *model : nullptr;
}

std::string QuantizedGraph::kernels() const
{
    const TemporaryFolder folder;
    SessionOptions options;
    options.optimization = Optimization::Extended;
    options.optimizedModel = folder / "optimized.onnx";
    const auto session = Session::openFile(folder.write("m.onnx", m_builder.text()), options);
    if (!session)
        return session.error().line();
    const auto optimized = readModel(*options.optimizedModel);
    EXPECT_TRUE(optimized) << optimized.error().line();
    std::string text;
    for (const NodeId id : (*optimized)->order) {
        const Node& node = (*optimized)->node(id);
        if (node.opType != "QuantizeLinear" && node.opType != "DequantizeLinear")
            text += (text.empty() ? "" : " ") + node.opType;
    }
    return text;
}

} // namespace duo::test
