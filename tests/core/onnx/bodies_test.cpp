// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"

#include "core/model/value_address.h"
#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::addBody;
using test::ProtoBuilder;

Result<std::shared_ptr<const Model>> read(const ProtoBuilder& file)
{
    return readModelBytes(file.bytes(), "test.onnx");
}

TEST(Bodies, AreRegionsThatReadOuterValues)
{
    ProtoBuilder file;
    file.input("c").input("x").output("y");
    auto& branch = file.node("If", "if", {"c"}, {"y"});
    auto yes = addBody(branch, "then_branch");
    yes.weight("w").output("t");
    yes.node("Mul", "mul", {"x", "w"}, {"t"});
    auto no = addBody(branch, "else_branch");
    no.output("e");
    no.node("Neg", "neg", {"x"}, {"e"});
    const auto model = read(file);
    ASSERT_TRUE(model) << model.error().line();
    ASSERT_EQ((*model)->regions.size(), 3U);
    EXPECT_EQ((*model)->regions[1].attribute, "then_branch");
    EXPECT_EQ((*model)->nodes[1].name, "if::then_branch::mul");
    EXPECT_EQ((*model)->nodes[2].name, "if::else_branch::neg");
    EXPECT_EQ((*model)->value((*model)->findValue("x")).uses.size(), 2U);
    const Value& weight = (*model)->value((*model)->nodes[1].inputs[1]);
    EXPECT_EQ(weight.region, RegionId(1));
    EXPECT_TRUE(weight.initializer.valid());
    EXPECT_FALSE((*model)->findValue("w").valid());
    EXPECT_TRUE((*model)->initializers.empty());
}

TEST(Bodies, ValuesHaveAddressesThatTellEqualNamesApart)
{
    ProtoBuilder file;
    file.input("c").input("x").output("y").output("if::then_branch::t");
    auto& branch = file.node("If", "if", {"c"}, {"y"});
    for (const char* attribute : {"then_branch", "else_branch"}) {
        auto body = addBody(branch, attribute);
        body.output("t");
        body.node("Neg", "neg", {"x"}, {"t"});
    }
    file.node("Neg", "odd", {"x"}, {"if::then_branch::t"}); // its name is what the other's address would be
    const auto read = readModelBytes(file.bytes(), "test.onnx");
    ASSERT_TRUE(read) << read.error().line();
    const Model& model = **read;
    const ValueId inThen = model.node(model.findNode("if::then_branch::neg")).outputs[0];
    const ValueId inElse = model.node(model.findNode("if::else_branch::neg")).outputs[0];
    EXPECT_EQ(addressOf(model, inElse), "if::else_branch::t");
    EXPECT_EQ(addressOf(model, inThen), "if::then_branch::t:1");
    for (std::size_t v = 0; v < model.values.size(); ++v)
        EXPECT_EQ(model.findValue(addressOf(model, ValueId(v))), ValueId(v)) << model.values[v].name;
    EXPECT_TRUE(isBodyOutput(model, inThen));
    EXPECT_FALSE(isBodyOutput(model, model.findValue("y")));
}

TEST(Bodies, HaveInputsOfTheirOwn)
{
    ProtoBuilder file;
    file.input("n").input("c").input("x").output("y");
    auto loop = addBody(file.node("Loop", "loop", {"n", "c", "x"}, {"y"}), "body");
    loop.input("i").input("more").input("state").output("more").output("next");
    loop.node("Relu", "relu", {"state"}, {"next"});
    const auto model = read(file);
    ASSERT_TRUE(model) << model.error().line();
    EXPECT_EQ((*model)->regions[1].inputs.size(), 3U);
    EXPECT_EQ((*model)->regions[1].outputs[0], (*model)->regions[1].inputs[1]);
    EXPECT_FALSE((*model)->value((*model)->regions[1].inputs[0]).isInput);
}

TEST(Bodies, AnInnerNameHidesAnOuterOne)
{
    ProtoBuilder file;
    file.input("c").input("x").output("y");
    auto body = addBody(file.node("If", "if", {"c"}, {"y"}), "then_branch");
    body.output("b");
    body.node("Relu", "first", {"c"}, {"x"});
    body.node("Relu", "second", {"x"}, {"b"});
    const auto model = read(file);
    ASSERT_TRUE(model) << model.error().line();
    EXPECT_EQ((*model)->node((*model)->findNode("if::then_branch::second")).inputs[0],
        (*model)->node((*model)->findNode("if::then_branch::first")).outputs[0]);
}

TEST(Bodies, DoNotSeeEachOther)
{
    ProtoBuilder file;
    file.input("c").output("y");
    auto& branch = file.node("If", "if", {"c"}, {"y"});
    auto yes = addBody(branch, "then_branch");
    yes.output("t");
    yes.node("Neg", "n", {"c"}, {"t"});
    auto no = addBody(branch, "else_branch");
    no.output("e");
    no.node("Neg", "m", {"t"}, {"e"});
    const auto model = read(file);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().line(), "node 'm' reads 't', which nothing defines: test.onnx: export the model again");
}

TEST(Bodies, AListOfGraphsIsNumbered)
{
    ProtoBuilder file;
    file.input("c").output("y");
    auto& attribute = *file.node("Switch", "switch", {"c"}, {"y"}).add_attribute();
    attribute.set_name("cases");
    attribute.set_type(onnx::AttributeProto::GRAPHS);
    for (int i = 0; i < 2; ++i)
        test::GraphProtoBuilder(*attribute.add_graphs()).node("Neg", "neg", {"c"}, {"r"});
    const auto model = read(file);
    ASSERT_TRUE(model) << model.error().line();
    EXPECT_TRUE((*model)->findNode("switch::cases.0::neg").valid());
    EXPECT_TRUE((*model)->findNode("switch::cases.1::neg").valid());
}

/// `depth` If nodes, each in a branch of the one before.
void nest(test::GraphProtoBuilder graph, int depth)
{
    auto& node = graph.node(depth == 0 ? "Neg" : "If", "n", {"c"}, {"r"});
    graph.output("r");
    if (depth > 0)
        nest(addBody(node, "then_branch"), depth - 1);
}

TEST(Bodies, NestSixtyFourDeepAndNoDeeper)
{
    ProtoBuilder deep;
    deep.input("c");
    nest(deep, 64);
    EXPECT_TRUE(read(deep));

    ProtoBuilder deeper;
    deeper.input("c");
    nest(deeper, 65);
    const auto model = read(deeper);
    ASSERT_FALSE(model);
    EXPECT_EQ(
        model.error().line(), "bodies and function calls are nested more than 64 deep: node 'n': inline some of them");
}

} // namespace
} // namespace duo
