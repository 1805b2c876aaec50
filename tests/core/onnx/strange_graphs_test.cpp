// SPDX-License-Identifier: Apache-2.0
// Graphs that the schema allows, or nearly: what the reader promises holds, or one line says why not.
#include "core/onnx/reader.h"

#include "core/onnx/writer.h"
#include "tests/support/proto_builder.h"
#include "tests/support/written_bytes.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::addBody;
using test::addNode;
using test::ProtoBuilder;

std::string lineOf(const ProtoBuilder& file)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    return model ? "" : model.error().line();
}

/// x -> relu -> y
struct OneNode : ProtoBuilder {
    OneNode()
    {
        input("x").output("y");
        relu = &node("Relu", "relu", {"x"}, {"y"});
    }
    onnx::NodeProto* relu = nullptr;
};

TEST(StrangeGraphs, NamesThatAreNoUtf8AreRefused)
{
    OneNode file;
    file.relu->set_name("caf\xE9");
    EXPECT_EQ(lineOf(file), "node 0 has a name that is no UTF-8: 'caf\xEF\xBF\xBD': test.onnx: export the model again");
    OneNode value;
    value.relu->set_input(0, "\xFF");
    value.proto().mutable_input(0)->set_name("\xFF");
    EXPECT_EQ(lineOf(value),
        "input 0 of the graph has a name that is no UTF-8: '\xEF\xBF\xBD': test.onnx: export the model again");
    OneNode attribute;
    test::addInt(*attribute.relu, "\xFF", 1);
    EXPECT_EQ(lineOf(attribute),
        "an attribute of node 'relu' has a name that is no UTF-8: '\xEF\xBF\xBD': test.onnx: "
        "export the model again");
}

TEST(StrangeGraphs, TextsThatAreNoNamesAreShownAsUtf8AndWrittenAsTheyWere)
{
    OneNode file;
    file.model().set_producer_name("caf\xE9");
    auto* entry = file.relu->add_metadata_props();
    entry->set_key("k\xFF");
    entry->set_value("v");
    file.proto()
        .mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(0)
        ->set_dim_param("N\xFF");
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    ASSERT_TRUE(model) << model.error().line();
    EXPECT_EQ((*model)->producerName, "caf\xEF\xBF\xBD");
    EXPECT_EQ((*model)->nodes[0].metadata[0].first, "k\xEF\xBF\xBD");
    EXPECT_EQ((*model)->value((*model)->findValue("x")).type.shape->front().symbol, "N\xEF\xBF\xBD");
    const auto written = test::writtenBytes(**model, {});
    ASSERT_TRUE(written);
    onnx::ModelProto again;
    ASSERT_TRUE(again.ParseFromString(*written));
    EXPECT_EQ(again.producer_name(), "caf\xE9");
    EXPECT_EQ(again.graph().node(0).metadata_props(0).key(), "k\xFF");
}

TEST(StrangeGraphs, InputsAndOutputsOfGraphsHaveNames)
{
    OneNode file;
    file.output("");
    EXPECT_EQ(lineOf(file), "output 1 of the graph has no name: test.onnx: export the model again");
    OneNode input;
    input.input("");
    EXPECT_EQ(lineOf(input), "input 1 of the graph has no name: test.onnx: export the model again");
    OneNode inBody;
    inBody.input("c");
    addBody(inBody.node("If", "if", {"c"}, {"z"}), "then_branch").output("");
    EXPECT_EQ(
        lineOf(inBody), "output 0 of the graph has no name: body 'then_branch' of node 'if': export the model again");
}

TEST(StrangeGraphs, FunctionsNameWhatTheyTakeAndGive)
{
    OneNode file;
    file.function("F", {""}, {"b"});
    EXPECT_EQ(lineOf(file), "an input has no name: function 'F': export the model again");
}

TEST(StrangeGraphs, NodesHaveAnOperatorTypeAndAttributesNames)
{
    OneNode file;
    file.relu->clear_op_type();
    EXPECT_EQ(lineOf(file), "node 'relu' has no operator type: test.onnx: export the model again");
    OneNode attribute;
    test::addInt(*attribute.relu, "", 1);
    EXPECT_EQ(lineOf(attribute), "an attribute of node 'relu' has no name: test.onnx: export the model again");
}

TEST(StrangeGraphs, OurOwnInternalOperatorsAreRefused)
{
    for (const std::string domain : {"duoscope.taps", "duoscope.swaps"}) {
        OneNode file;
        file.relu->set_domain(domain);
        EXPECT_EQ(lineOf(file),
            "node 'relu' is of domain '" + domain
                + "', which this program keeps for itself: test.onnx: take the node out of the model");
        OneNode inFunction;
        auto& function = inFunction.function("F", {"a"}, {"b"});
        addNode(function, "Tap", "tap", {"a"}, {"b"}).set_domain(domain);
        EXPECT_EQ(lineOf(inFunction),
            "node 'tap' is of domain '" + domain
                + "', which this program keeps for itself: function 'F': take the node out of the model");
    }
}

TEST(StrangeGraphs, ProductsHaveTheirDataTheirWeightAndTheirOutput)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& conv = file.node("Conv", "conv", {"x"}, {"y"});
    EXPECT_EQ(lineOf(file), "node 'conv' (Conv) has not the 2 inputs it needs: test.onnx: export the model again");
    conv.add_input("");
    EXPECT_EQ(lineOf(file), "node 'conv' (Conv) has not the 2 inputs it needs: test.onnx: export the model again");
    ProtoBuilder silent;
    silent.input("x").weight("w");
    silent.node("MatMul", "product", {"x", "w"}, {});
    EXPECT_EQ(
        lineOf(silent), "node 'product' (MatMul) has not the 1 output it needs: test.onnx: export the model again");
}

TEST(StrangeGraphs, AnInputThatACallOmitsIsMissingInItsFunctionToo)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& function = file.function("F", {"a", "w"}, {"b"});
    addNode(function, "MatMul", "product", {"a", "w"}, {"b"});
    file.node("F", "call", {"x"}, {"y"}).set_domain("local");
    EXPECT_EQ(lineOf(file), "node 'product' (MatMul) has not the 2 inputs it needs: test.onnx: export the model again");
}

TEST(StrangeGraphs, OtherOperatorsMayOmitAnyInputAndOutput)
{
    OneNode file;
    file.node("Print", "print", {"", "x"}, {}).set_domain("custom");
    file.node("Relu", "silent", {}, {});
    file.weight("w", {1, 8, 2}).weight("r", {1, 8, 2}).input("s", {1, 1, 2});
    file.node("LSTM", "lstm", {"s", "w", "r"}, {"", "h"});
    file.node("Split", "split", {"x"}, {"", "second"});
    EXPECT_EQ(lineOf(file), "");
}

TEST(StrangeGraphs, ABodyMustNotReadWhatItsOwnerGives)
{
    ProtoBuilder file;
    file.input("c").output("y");
    auto body = addBody(file.node("If", "if", {"c"}, {"y"}), "then_branch");
    body.output("t");
    body.node("Neg", "neg", {"y"}, {"t"});
    EXPECT_EQ(
        lineOf(file), "the graph has a cycle: node 'if': export the model again; a node must not read its own result");
}

} // namespace
} // namespace duo
