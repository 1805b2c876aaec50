// SPDX-License-Identifier: Apache-2.0
#include "tests/core/interchange/quantized_file.h"

namespace duo::test {

QuantizedFile::QuantizedFile()
{
    onnx::OperatorSetIdProto& opset = *model().add_opset_import();
    opset.set_domain("com.microsoft");
    opset.set_version(1);
}

QuantizedFile& QuantizedFile::op(const std::string& opType, const std::string& name,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
    const std::vector<Attribute>& attributes)
{
    PassFile::op(opType, name, inputs, outputs, attributes);
    return *this;
}

QuantizedFile& QuantizedFile::scale(const std::string& name, const std::vector<float>& values)
{
    weight(name, values.size() == 1 ? Ints() : Ints{static_cast<std::int64_t>(values.size())}, values);
    return *this;
}

QuantizedFile& QuantizedFile::codes(
    const std::string& name, const Ints& dims, const Ints& values, onnx::TensorProto::DataType type)
{
    onnx::TensorProto& proto = tensor(name, dims, type);
    for (const std::int64_t value : values)
        proto.add_int32_data(static_cast<std::int32_t>(value));
    return *this;
}

QuantizedFile& QuantizedFile::contrib(const std::string& opType, const std::string& name,
    const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
    const std::vector<Attribute>& attributes)
{
    onnx::NodeProto& made = node(opType, name, inputs, outputs);
    made.set_domain("com.microsoft");
    addAttributes(made, attributes);
    return *this;
}

QuantizedFile& QuantizedFile::quantize(const std::string& name, float scale, int zeroPoint)
{
    this->scale(name + "_scale", {scale});
    codes(name + "_zero_point", {}, {zeroPoint}, onnx::TensorProto::UINT8);
    op("QuantizeLinear", name + "_QuantizeLinear", {name, name + "_scale", name + "_zero_point"}, {name + "_q"});
    return *this;
}

QuantizedFile& QuantizedFile::dequantize(const std::string& name, const std::string& result)
{
    op("DequantizeLinear", name + "_DequantizeLinear", {name + "_q", name + "_scale", name + "_zero_point"}, {result});
    return *this;
}

} // namespace duo::test
