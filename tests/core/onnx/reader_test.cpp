// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"

#include "core/scope/parameters/learned_tensors.h"
#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;

std::shared_ptr<const Model> read(const ProtoBuilder& file)
{
    auto model = readModelBytes(file.bytes(), "test.onnx");
    if (!model)
        ADD_FAILURE() << model.error().line();
    return model ? *model : std::make_shared<Model>();
}

std::string errorOf(const ProtoBuilder& file)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    return model ? "none" : model.error().line();
}

/// x -> MatMul(w) -> y
void addLine(ProtoBuilder& file)
{
    file.input("x").output("y").weight("w", {2, 2});
    file.node("MatMul", "mm", {"x", "w"}, {"y"});
}

/// Measured with ONNX Runtime 1.32.0 on a Softmax, which became another one with opset 13.
TEST(Reader, TakesTheLastOfSeveralOpsetsAsTheEngineDoes)
{
    for (const auto& [domain, version] : {std::pair("", 11), {"ai.onnx", 12}, {"", 21}}) {
        ProtoBuilder file;
        addLine(file);
        auto& import = *file.model().add_opset_import();
        import.set_domain(domain);
        import.set_version(version);
        EXPECT_EQ(read(file)->opset(), version);
    }
}

TEST(Reader, FillsHeaderNodesAndValues)
{
    ProtoBuilder file;
    addLine(file);
    file.model().set_producer_name("exporter");
    file.model().set_producer_version("3");
    auto& import = *file.model().add_opset_import();
    import.set_domain("com.microsoft");
    import.set_version(1);
    const auto model = read(file);
    EXPECT_EQ(model->irVersion, 8);
    EXPECT_EQ(model->opset(), 17);
    EXPECT_EQ(model->opsets.at("com.microsoft"), 1);
    EXPECT_EQ(model->producerName, "exporter");
    EXPECT_EQ(model->producerVersion, "3");
    EXPECT_EQ(model->graphName, "g");
    ASSERT_EQ(model->nodes.size(), 1U);
    EXPECT_EQ(model->nodes[0].opType, "MatMul");
    EXPECT_EQ(parameterTotals(*model).parameters, 4);
    EXPECT_TRUE(model->value(model->findValue("x")).isInput);
    EXPECT_TRUE(model->value(model->findValue("y")).isOutput);
    EXPECT_EQ(model->value(model->findValue("w")).uses.size(), 1U);
}

TEST(Reader, KeepsSymbolsAndTakesNegativeSizesAsUnknown)
{
    ProtoBuilder file;
    addLine(file);
    auto& shape = *file.proto().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.clear_dim();
    shape.add_dim()->set_dim_param("batch");
    shape.add_dim()->set_dim_value(-1);
    shape.add_dim()->set_dim_value(0);
    const auto model = read(file);
    const std::vector<Dim> expected{{std::nullopt, "batch"}, {std::nullopt, ""}, {0, ""}};
    EXPECT_EQ(model->value(model->findValue("x")).type.shape, expected);
}

TEST(Reader, TakesTypesAndMetadataFromValueInfo)
{
    ProtoBuilder file;
    file.input("x").output("y");
    file.node("Custom", "a", {"x"}, {"m"}).set_domain("nobody");
    file.node("Relu", "b", {"m"}, {"y"});
    auto& info = *file.proto().add_value_info();
    info.set_name("m");
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT16);
    info.add_metadata_props()->set_key("origin");
    auto& metadata = *file.proto().mutable_node(0)->add_metadata_props();
    metadata.set_key("scope");
    metadata.set_value("enc");
    const auto model = read(file);
    const Value& value = model->value(model->findValue("m"));
    EXPECT_EQ(value.type.element, ElementType::Float16);
    EXPECT_FALSE(value.type.shape);
    EXPECT_EQ(value.metadata, (Metadata{{"origin", ""}}));
    EXPECT_EQ(model->nodes[0].metadata, (Metadata{{"scope", "enc"}}));
}

TEST(Reader, ReadsEveryKindOfAttribute)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& node = file.node("Custom", "n", {"x"}, {"y"});
    const auto add = [&](const char* name) -> onnx::AttributeProto& {
        node.add_attribute()->set_name(name);
        return *node.mutable_attribute(node.attribute_size() - 1);
    };
    add("f").set_f(0.5F); // without a type, as files before IR 3 have it
    add("s").set_s("text");
    add("ints").mutable_ints()->Add(3);
    add("floats").mutable_floats()->Add(1.5F);
    add("strings").add_strings("one");
    auto& tensor = add("t");
    tensor.set_type(onnx::AttributeProto::TENSOR);
    tensor.mutable_t()->set_data_type(onnx::TensorProto::INT64);
    tensor.mutable_t()->add_int64_data(-4);
    test::addInt(node, "i", 7);
    const auto model = read(file);
    const Node& read = model->nodes[0];
    EXPECT_EQ(std::get<float>(read.attribute("f")->value), 0.5F);
    EXPECT_EQ(std::get<std::string>(read.attribute("s")->value), "text");
    EXPECT_EQ(std::get<std::vector<std::int64_t>>(read.attribute("ints")->value), std::vector<std::int64_t>{3});
    EXPECT_EQ(std::get<std::vector<float>>(read.attribute("floats")->value), std::vector<float>{1.5F});
    EXPECT_EQ(std::get<std::vector<std::string>>(read.attribute("strings")->value), std::vector<std::string>{"one"});
    EXPECT_EQ(read.intAttribute("i", 0), 7);
    EXPECT_EQ(toInts(model->tensor(std::get<TensorId>(read.attribute("t")->value))), std::vector<std::int64_t>{-4});
}

TEST(Reader, InitializersListedAsInputsAreNoRealInputs)
{
    ProtoBuilder file;
    addLine(file);
    file.input("w", {2, 2});
    file.model().set_ir_version(3);
    const auto model = read(file);
    EXPECT_EQ(model->mainGraph().inputs, std::vector<ValueId>{model->findValue("x")});
    EXPECT_FALSE(model->value(model->findValue("w")).isInput);
}

TEST(Reader, NodesMayStandInAnyOrder)
{
    ProtoBuilder file;
    file.input("x").output("y");
    file.node("Relu", "second", {"m"}, {"y"});
    file.node("Relu", "first", {"x"}, {"m"});
    const auto model = read(file);
    EXPECT_EQ(model->node(model->order[0]).name, "first");
    EXPECT_EQ(model->nodes[0].name, "second");
}

TEST(Reader, SparseInitializersMayBeReadAndAreNoted)
{
    ProtoBuilder file;
    file.input("x").output("y");
    file.proto().add_sparse_initializer()->mutable_values()->set_name("s");
    file.node("MatMul", "mm", {"x", "s"}, {"y"});
    const auto model = read(file);
    ASSERT_EQ(model->notes.size(), 1U);
    EXPECT_EQ(model->notes[0].kind, "sparse-initializer");
}

TEST(Reader, NamesWhatIsWrong)
{
    ProtoBuilder undefined;
    undefined.output("y");
    undefined.node("Relu", "", {"x"}, {"y"});
    EXPECT_EQ(errorOf(undefined), "node 0 (Relu) reads 'x', which nothing defines: test.onnx: export the model again");

    ProtoBuilder twice;
    twice.input("x").output("x");
    twice.node("Relu", "r", {"x"}, {"x"});
    EXPECT_EQ(errorOf(twice), "value 'x' is defined twice: test.onnx: export the model again");

    ProtoBuilder output;
    output.output("y");
    EXPECT_EQ(errorOf(output), "graph output 'y' is produced by nothing: test.onnx: export the model again");

    ProtoBuilder reference;
    reference.output("y");
    test::addReference(reference.node("Constant", "c", {}, {"y"}), "value_int", "n");
    EXPECT_EQ(errorOf(reference),
        "attribute 'value_int' refers to 'n', but stands in no function: test.onnx: export the model again");
}

TEST(Reader, HearsAStop)
{
    ProtoBuilder file;
    addLine(file);
    const auto path = std::filesystem::path(DUO_TEST_DATA) / "models" / "opset13.onnx";
    std::stop_source stop;
    stop.request_stop();
    const auto model = readModel(path, {}, JobContext{stop.get_token(), {}});
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error(), cancelledError());
}

} // namespace
} // namespace duo
