// SPDX-License-Identifier: Apache-2.0
// Graphs that the schema allows, or nearly: what the reader promises holds, or one line says why not.
#include "core/onnx/reader.h"

#include "core/onnx/op_schema.h"
#include "core/onnx/schema_check.h"
#include "core/onnx/writer.h"
#include "tests/support/proto_builder.h"
#include "tests/support/written_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

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

TEST(StrangeGraphs, NamesThatNobodyCouldReadAreRefused)
{
    OneNode file;
    file.relu->set_name(std::string(131'072, 'n'));
    EXPECT_EQ(lineOf(file), "");
    file.relu->set_name(std::string(131'073, 'n'));
    EXPECT_EQ(lineOf(file),
        "node 0 has a name of 131073 bytes: '" + std::string(40, 'n')
            + "...': test.onnx: give it one of at most 131072");
    OneNode type;
    type.relu->set_op_type(std::string(10'000'000, 'O'));
    EXPECT_EQ(lineOf(type),
        "node 0 has a name of 10000000 bytes: '" + std::string(40, 'O')
            + "...': test.onnx: give it one of at most 131072");
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

TEST(StrangeGraphs, AConstantGivesOneValue)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& constant = file.node("Constant", "k", {}, {"c"});
    test::addInt(constant, "value_int", 1);
    file.node("Add", "add", {"x", "c"}, {"y"});
    EXPECT_EQ(lineOf(file), "");
    constant.add_attribute()->set_name("value");
    EXPECT_EQ(lineOf(file), "node 'k' (Constant) gives more than one value: test.onnx: export the model again");
    constant.set_domain("own");
    EXPECT_EQ(lineOf(file), "");
}

TEST(StrangeGraphs, AConstantOfAnotherDomainIsNone)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& made = file.node("Constant", "k", {}, {"c"});
    auto& value = *made.add_attribute();
    value.set_name("value");
    value.set_type(onnx::AttributeProto::TENSOR);
    value.mutable_t()->set_data_type(onnx::TensorProto::INT64);
    value.mutable_t()->add_int64_data(1);
    file.node("Add", "add", {"x", "c"}, {"y"});
    const auto isConstant = [&] {
        const auto model = readModelBytes(file.bytes(), "test.onnx");
        return model && (*model)->constant((*model)->findValue("c")) != nullptr;
    };
    EXPECT_TRUE(isConstant());
    made.set_domain("own");
    EXPECT_FALSE(isConstant());
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

/// What notes say of nodes that are not as ONNX has them: "node: text".
std::vector<std::string> unlikeSchema(const ProtoBuilder& file)
{
    const auto model = readModelBytes(file.bytes(), "test.onnx");
    if (!model)
        return {model.error().line()};
    std::vector<std::string> said;
    for (const Note& note : (*model)->notes) {
        if (note.kind == kNotInSchema)
            said.push_back(note.where + ": " + note.text);
    }
    return said;
}

using Said = std::vector<std::string>;

TEST(StrangeGraphs, PortsThatAnOperatorDoesNotHaveAreSaidOnce)
{
    ProtoBuilder file;
    file.input("x").output("a");
    file.node("Relu", "none", {}, {"a"});
    file.node("Relu", "two", {"x", "x"}, {"b"});
    file.node("Relu", "omitted", {""}, {"c"});
    file.node("Relu", "gives", {"x"}, {"d", "e"});
    file.node("Max", "nothing", {}, {"f"});
    file.node("Clip", "ends", {"x", "", "x", "x"}, {"g"});
    file.node("Where", "fewer", {"x"}, {"h"});
    file.node("Dropout", "silent", {"x"}, {""});
    EXPECT_EQ(unlikeSchema(file),
        (Said{"none: Relu takes 1 input in opset 17, not 0", "two: Relu takes 1 input in opset 17, not 2",
            "omitted: input 0 of Relu must not be omitted", "gives: Relu gives 1 output in opset 17, not 2",
            "nothing: Max takes at least 1 input in opset 17, not 0",
            "ends: Clip takes 1 to 3 inputs in opset 17, not 4", "fewer: Where takes 3 inputs in opset 17, not 1",
            "silent: output 0 of Dropout must not be omitted"}));
}

TEST(StrangeGraphs, AttributesThatAnOperatorDoesNotHaveAreSaidOnce)
{
    ProtoBuilder file;
    file.input("x").output("a");
    file.node("Concat", "lacks", {"x", "x"}, {"a"});
    test::addInt(file.node("Relu", "more", {"x"}, {"b"}), "axis", 1);
    test::addInt(file.node("Transpose", "kind", {"x"}, {"c"}), "perm", 0);
    auto& twice = file.node("Softmax", "twice", {"x"}, {"d"});
    test::addInt(twice, "axis", 0);
    test::addInt(twice, "axis", 0);
    addBody(file.node("If", "half", {"x"}, {"e"}), "then_branch").output("x");
    EXPECT_EQ(unlikeSchema(file),
        (Said{"lacks: Concat needs attribute 'axis' in opset 17", "more: Relu has no attribute 'axis' in opset 17",
            "kind: attribute 'perm' of Transpose is of type ints in opset 17, not int",
            "twice: attribute 'axis' of Softmax is given twice",
            "half: If needs attribute 'else_branch' in opset 17"}));
}

TEST(StrangeGraphs, WhatAnOperatorHasGoesByTheOpset)
{
    const auto saidOf = [](std::int64_t opset, const std::string& opType) {
        ProtoBuilder file;
        file.model().mutable_opset_import(0)->set_version(opset);
        file.input("x").output("y");
        file.node(opType, "node", {"x", "x"}, {"y"});
        return unlikeSchema(file);
    };
    EXPECT_EQ(saidOf(12, "Squeeze"), Said{"node: Squeeze takes 1 input in opset 12, not 2"});
    EXPECT_EQ(saidOf(13, "Squeeze"), Said{});
    EXPECT_EQ(saidOf(9, "Upsample"), Said{});
    EXPECT_EQ(saidOf(10, "Upsample"), Said{"node: ONNX has no Upsample in opset 10"});
    EXPECT_EQ(saidOf(17, "BitwiseAnd"), Said{"node: ONNX has no BitwiseAnd in opset 17"});
    EXPECT_EQ(saidOf(18, "BitwiseAnd"), Said{});
    EXPECT_EQ(saidOf(13, "LayerNormalization"), Said{}); // ONNX Runtime has it
}

TEST(StrangeGraphs, WhatACallGivesItsFunctionIsLookedAtInTheOpsetOfTheFunction)
{
    ProtoBuilder file;
    file.input("x").output("y");
    auto& function = file.function("F", {"a", "axes"}, {"b"});
    function.clear_opset_import();
    auto* import = function.add_opset_import();
    import->set_domain("ai.onnx");
    import->set_version(12);
    test::addReference(addNode(function, "Concat", "concat", {"a"}, {"c"}), "axis", "along");
    addNode(function, "Squeeze", "squeeze", {"c", "axes"}, {"b"});
    file.node("F", "call", {"x", "x"}, {"y"}).set_domain("local");
    EXPECT_EQ(unlikeSchema(file),
        (Said{"call::concat: Concat needs attribute 'axis' in opset 12",
            "call::squeeze: Squeeze takes 1 input in opset 12, not 2"}));
}

TEST(StrangeGraphs, WhatNobodyKnowsIsNotJudged)
{
    ProtoBuilder file;
    file.input("x").output("y");
    file.node("Relu", "theirs", {}, {"a"}).set_domain("custom");
    file.node("NotOfOnnx", "unknown", {"x", "", "x"}, {"b", ""});
    file.function("Relu", {"a"}, {"b"});
    addNode(*file.model().mutable_functions(0), "Neg", "neg", {"a"}, {"b"});
    file.node("Relu", "call", {"x"}, {"y"}).set_domain("local");
    EXPECT_EQ(unlikeSchema(file), Said{});
    ProtoBuilder newer;
    newer.model().mutable_opset_import(0)->set_version(999);
    newer.input("x").output("y");
    newer.node("Relu", "node", {"x", "x"}, {"y"});
    EXPECT_EQ(unlikeSchema(newer), Said{});
}

TEST(StrangeGraphs, AnOpsetThatIsNotKnownIsSaid)
{
    OneNode file;
    const auto noteOf = [&] {
        const auto model = readModelBytes(file.bytes(), "test.onnx");
        return model && !(*model)->notes.empty() ? (*model)->notes.front().text : std::string();
    };
    EXPECT_EQ(noteOf(), "");
    file.model().mutable_opset_import(0)->set_version(999);
    EXPECT_EQ(noteOf(),
        "opset 999 is newer than 28, the newest that is known here: operators are taken for what they are in that one");
    file.model().clear_opset_import();
    EXPECT_EQ(noteOf(), "the model does not say of which opset it is, which no engine runs");
    file.model().set_ir_version(2); // says of every model what opset it is
    EXPECT_EQ(noteOf(), "");
}

TEST(OpSchemas, StandByNameAndByOpset)
{
    const auto place = [](const OpSchema& row) { return std::pair(row.opType, row.since); };
    EXPECT_TRUE(std::ranges::is_sorted(opSchemas(), {}, place));
    EXPECT_EQ(opSchemas("Squeeze").size(), 2U);
    EXPECT_TRUE(opSchemas("NotOfOnnx").empty());
    EXPECT_EQ(std::ranges::max(opSchemas(), {}, &OpSchema::since).since, kNewestOpset);
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
