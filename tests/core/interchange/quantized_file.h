// SPDX-License-Identifier: Apache-2.0
// QuantizedFile: a quantized model written down in a test, as tools write them.
#pragma once

#include "tests/core/transform/transformed.h"

#include <string>
#include <vector>

namespace duo::test {

/// Imports ONNX Runtime's operators, too.
class QuantizedFile : public PassFile
{
public:
    QuantizedFile();
    QuantizedFile& op(const std::string& opType, const std::string& name, const std::vector<std::string>& inputs,
        const std::vector<std::string>& outputs, const std::vector<Attribute>& attributes = {});
    QuantizedFile& scale(const std::string& name, const std::vector<float>& values); // one: a scalar
    QuantizedFile& codes(const std::string& name, const Ints& dims, const Ints& values,
        onnx::TensorProto::DataType type = onnx::TensorProto::INT8); // no dims: a scalar
    QuantizedFile& contrib(const std::string& opType, const std::string& name, const std::vector<std::string>& inputs,
        const std::vector<std::string>& outputs, const std::vector<Attribute>& attributes = {});
    /// `name_scale` and `name_zero_point` of a uint8 value, QuantizeLinear to `name_q`.
    QuantizedFile& quantize(const std::string& name, float scale, int zeroPoint);
    QuantizedFile& dequantize(const std::string& name, const std::string& result); // of what quantize() made
};

} // namespace duo::test
