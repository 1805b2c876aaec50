// SPDX-License-Identifier: Apache-2.0
#include "tests/core/transform/old_file.h"

#include "core/onnx/reader.h"
#include "core/transform/raise_opset.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

using Proto = onnx::AttributeProto;

struct Setter {
    Proto& proto;

    void operator()(std::monostate) const { }
    void operator()(TensorId) const { }
    void operator()(std::int64_t value) const
    {
        proto.set_i(value);
        proto.set_type(Proto::INT);
    }
    void operator()(float value) const
    {
        proto.set_f(value);
        proto.set_type(Proto::FLOAT);
    }
    void operator()(const std::string& value) const
    {
        proto.set_s(value);
        proto.set_type(Proto::STRING);
    }
    void operator()(const std::vector<std::int64_t>& values) const
    {
        proto.mutable_ints()->Add(values.begin(), values.end());
        proto.set_type(Proto::INTS);
    }
    void operator()(const std::vector<float>& values) const
    {
        proto.mutable_floats()->Add(values.begin(), values.end());
        proto.set_type(Proto::FLOATS);
    }
    void operator()(const std::vector<std::string>& values) const
    {
        for (const std::string& value : values)
            proto.add_strings(value);
        proto.set_type(Proto::STRINGS);
    }
};

std::string inLowerCase(std::string text)
{
    std::ranges::transform(
        text, text.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

template <typename Numbers> std::string listed(const Numbers& numbers)
{
    std::ostringstream text;
    for (const auto& number : numbers)
        text << (text.tellp() == 0 ? "" : " ") << number;
    return "[" + text.str() + "]";
}

std::string valueText(const Attribute& attribute)
{
    std::ostringstream text;
    if (const auto* number = std::get_if<std::int64_t>(&attribute.value))
        text << *number;
    else if (const auto* real = std::get_if<float>(&attribute.value))
        text << *real;
    else if (const auto* words = std::get_if<std::string>(&attribute.value))
        text << *words;
    else if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&attribute.value))
        text << listed(*numbers);
    else if (const auto* reals = std::get_if<std::vector<float>>(&attribute.value))
        text << listed(*reals);
    return text.str();
}

std::string inputText(const Model& model, ValueId id)
{
    const Tensor* tensor = model.constant(id);
    if (tensor == nullptr)
        return id.valid() ? model.value(id).name : std::string();
    return tensor->type == ElementType::Int64 ? listed(toInts(*tensor)) : listed(toFloats(*tensor));
}

} // namespace

OldFile::OldFile(std::int64_t opset)
{
    model().set_ir_version(opset < 9 ? 3 : opset < 10 ? 4 : opset < 11 ? 5 : 6);
    model().mutable_opset_import(0)->set_version(opset);
}

OldFile& OldFile::ints(const std::string& name, const std::vector<std::int64_t>& values)
{
    onnx::TensorProto& proto = tensor(name, {static_cast<std::int64_t>(values.size())}, onnx::TensorProto::INT64);
    proto.mutable_int64_data()->Add(values.begin(), values.end());
    return *this;
}

OldFile& OldFile::op(const std::string& opType, const std::vector<std::string>& inputs,
    const std::vector<std::string>& outputs, const std::vector<Attribute>& attributes)
{
    addAttributes(node(opType, inLowerCase(opType), inputs, outputs), attributes);
    return *this;
}

OldFile& OldFile::graphOutput(const std::string& name)
{
    proto().add_output()->set_name(name);
    return *this;
}

std::shared_ptr<const Model> OldFile::read() const
{
    auto model = readModelBytes(bytes(), "old.onnx");
    EXPECT_TRUE(model) << model.error().line();
    return model ? *model : nullptr;
}

std::shared_ptr<const Model> OldFile::raised() const
{
    const auto original = read();
    const auto raise = raiseOpset(*original);
    if (!raise.edits) {
        ADD_FAILURE() << (raise.notes.empty() ? "nothing to convert" : raise.notes.front().text);
        return original;
    }
    auto model = convertedModel(original, *raise.edits, raise.notes);
    EXPECT_TRUE(model) << model.error().line();
    return model ? *model : original;
}

std::string OldFile::refusal() const
{
    const auto raise = raiseOpset(*read());
    if (raise.edits)
        return "converted";
    return raise.notes.empty() ? "nothing to convert" : raise.notes.front().text;
}

onnx::NodeProto& addAttributes(onnx::NodeProto& node, const std::vector<Attribute>& attributes)
{
    for (const Attribute& attribute : attributes) {
        Proto& proto = *node.add_attribute();
        proto.set_name(attribute.name);
        std::visit(Setter{proto}, attribute.value);
    }
    return node;
}

std::vector<std::string> nodeLines(const Model& model)
{
    std::vector<std::string> lines;
    for (const Node& node : model.nodes) {
        std::string line = node.opType + " " + node.name + "(";
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            line += (i == 0 ? "" : ", ") + inputText(model, node.inputs[i]);
        line += ") ->";
        for (const ValueId id : node.outputs)
            line += " " + (id.valid() ? model.value(id).name : std::string("-"));
        for (const Attribute& attribute : node.attributes)
            line += " " + attribute.name + "=" + valueText(attribute);
        lines.push_back(line);
    }
    return lines;
}

} // namespace duo::test
