// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"

#include "tests/support/proto_builder.h"
#include "tests/support/written_bytes.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;

/// x -> a -> m -> b (reads w) -> y
class Edits : public testing::Test
{
protected:
    Edits()
    {
        m_file.input("x").output("y").weight("w");
        m_file.node("Relu", "a", {"x"}, {"m"});
        m_file.node("Mul", "b", {"m", "w"}, {"y"});
    }

    std::shared_ptr<const Model> read() const
    {
        auto model = readModelBytes(m_file.bytes(), "test.onnx");
        EXPECT_TRUE(model);
        return *model;
    }

    onnx::ModelProto apply(const Model& model, const EditList& edits) const
    {
        onnx::ModelProto proto;
        const auto bytes = test::writtenBytes(model, edits);
        if (!bytes)
            ADD_FAILURE() << bytes.error().line();
        else
            EXPECT_TRUE(proto.ParseFromString(*bytes));
        return proto;
    }

    std::string errorOf(const EditList& edits) const
    {
        const auto bytes = test::writtenBytes(*read(), edits);
        return bytes ? "none" : bytes.error().line();
    }

    ProtoBuilder m_file;
};

std::string nodesOf(const onnx::ModelProto& proto)
{
    std::string text;
    for (const auto& node : proto.graph().node()) {
        text += node.name() + "(";
        for (const auto& input : node.input())
            text += input + ",";
        text += ")->";
        for (const auto& output : node.output())
            text += output + " ";
    }
    return text;
}

NewNode newNode(const std::string& name, NodeId anchor, bool after)
{
    NewNode node;
    node.name = name;
    node.opType = "Identity";
    node.anchor = anchor;
    node.after = after;
    return node;
}

TEST_F(Edits, NewNodesKeepTheirOrderAroundTheirAnchor)
{
    const auto model = read();
    const NodeId b = model->findNode("b");
    EditList edits;
    edits.newNodes = {newNode("after1", b, true), newNode("before1", b, false), newNode("start", {}, false),
        newNode("before2", b, false), newNode("after2", b, true)};
    std::string names;
    const auto proto = apply(*model, edits);
    for (const auto& node : proto.graph().node())
        names += node.name() + " ";
    EXPECT_EQ(names, "start a before1 before2 b after1 after2 ");
}

TEST_F(Edits, PortsAreRewiredAndRenamed)
{
    const auto model = read();
    EditList edits;
    edits.inputs = {{model->findNode("b"), 0, "q"}};
    edits.outputs = {{model->findNode("a"), 0, "p"}};
    NewNode quantize = newNode("Q", model->findNode("b"), false);
    quantize.inputs = {"p", ""};
    quantize.outputs = {"q"};
    quantize.domain = "com.microsoft";
    quantize.attributes = {{"axis", std::int64_t{1}}, {"f", 0.5F}, {"s", std::string("t")},
        {"is", std::vector<std::int64_t>{1, 2}}, {"fs", std::vector<float>{1}}, {"ss", std::vector<std::string>{"u"}}};
    quantize.metadata = {{"key", "value"}};
    edits.newNodes = {quantize};
    const auto proto = apply(*model, edits);
    EXPECT_EQ(nodesOf(proto), "a(x,)->p Q(p,,)->q b(q,w,)->y ");
    const auto& node = proto.graph().node(1);
    EXPECT_EQ(node.domain(), "com.microsoft");
    EXPECT_EQ(node.attribute(0).type(), onnx::AttributeProto::INT);
    EXPECT_EQ(node.attribute(1).f(), 0.5F);
    EXPECT_EQ(node.attribute(2).s(), "t");
    EXPECT_EQ(node.attribute(3).ints(1), 2);
    EXPECT_EQ(node.attribute(4).type(), onnx::AttributeProto::FLOATS);
    EXPECT_EQ(node.attribute(5).strings(0), "u");
    EXPECT_EQ(node.metadata_props(0).value(), "value");
}

TEST_F(Edits, AReplacedInitializerLeavesNoTrace)
{
    m_file.input("w");
    m_file.proto().add_value_info()->set_name("w");
    const auto model = read();
    EditList edits;
    edits.removedTensors = {"w"};
    edits.newTensors = {{"w_q", ElementType::Int8, {2}, {std::byte{1}, std::byte{2}}}};
    edits.inputs = {{model->findNode("b"), 1, "w_q"}};
    const auto proto = apply(*model, edits);
    ASSERT_EQ(proto.graph().initializer_size(), 1);
    EXPECT_EQ(proto.graph().initializer(0).name(), "w_q");
    EXPECT_EQ(proto.graph().initializer(0).raw_data(), "\x01\x02");
    EXPECT_EQ(proto.graph().input_size(), 1);
    EXPECT_EQ(proto.graph().value_info_size(), 0);
}

/// What is not edited lies in the bytes of the original; what is new is kept by the model itself.
TEST_F(Edits, MakeAModelThatSharesItsWeights)
{
    m_file.output("z").weight("kept", {64}, {3});
    m_file.node("Add", "c", {"y", "kept"}, {"z"});
    const auto original = read();
    std::shared_ptr<const Model> edited;
    {
        EditList edits;
        edits.removedTensors = {"w"};
        edits.newTensors = {{"w", ElementType::Float32, {3}, std::vector<std::byte>(12, std::byte{0x3f})}};
        auto made = editedModel(*original, std::move(edits));
        ASSERT_TRUE(made) << made.error().line();
        edited = *made;
    }
    const auto bytesOf = [](const Model& model, const std::string& name) {
        return model.tensor(model.value(model.findValue(name)).initializer).data.bytes;
    };
    EXPECT_EQ(bytesOf(*edited, "kept").data(), bytesOf(*original, "kept").data());
    const auto bytes = bytesOf(*edited, "w");
    ASSERT_EQ(bytes.size(), 12U);
    EXPECT_EQ(bytes[11], std::byte{0x3f});
    EXPECT_EQ(edited->fileBytes, static_cast<std::int64_t>(test::writtenBytes(*edited, {})->size()));
    EXPECT_TRUE(edited->path.empty());
}

TEST_F(Edits, BeforeIr4ANewInitializerIsAlsoAnInput)
{
    m_file.model().set_ir_version(3);
    const auto model = read();
    EditList edits;
    edits.newTensors = {{"s", ElementType::Float32, {}, std::vector<std::byte>(4)}};
    const auto proto = apply(*model, edits);
    ASSERT_EQ(proto.graph().input_size(), 2);
    EXPECT_EQ(proto.graph().input(1).name(), "s");
    EXPECT_EQ(proto.graph().input(1).type().tensor_type().elem_type(), onnx::TensorProto::FLOAT);
}

TEST_F(Edits, MetadataOpsetsAndOutputs)
{
    auto& old = *m_file.model().add_metadata_props();
    old.set_key("duoscope.digest");
    old.set_value("old");
    const auto model = read();
    EditList edits;
    edits.metadata = {{"duoscope.digest", "new"}, {"other", "1"}};
    edits.opsets = {{"", 21}, {"com.microsoft", 1}};
    edits.extraOutputs = {"m", "y", "m"};
    const auto proto = apply(*model, edits);
    ASSERT_EQ(proto.metadata_props_size(), 2);
    EXPECT_EQ(proto.metadata_props(0).value(), "new");
    EXPECT_EQ(proto.opset_import(0).version(), 21);
    EXPECT_EQ(proto.opset_import(1).domain(), "com.microsoft");
    ASSERT_EQ(proto.graph().output_size(), 2);
    EXPECT_EQ(proto.graph().output(1).name(), "m");
    edits.opsets = {{"", 9}};
    EXPECT_EQ(apply(*model, edits).opset_import(0).version(), 17);
}

TEST_F(Edits, NodeMetadataStayUnlessTheyAreOurOwn)
{
    auto& node = *m_file.model().mutable_graph()->mutable_node(0);
    for (const char* key : {"namespace", "duoscope.mark", "duoscope.old"}) {
        auto& entry = *node.add_metadata_props();
        entry.set_key(key);
        entry.set_value("before");
    }
    const auto model = read();
    EditList edits;
    edits.nodeMetadata = {{model->findNode("a"),
        {{"namespace", "after"}, {"duoscope.mark", "after"}, {"duoscope.old", ""}, {"duoscope.none", ""}}}};
    const auto proto = apply(*model, edits);
    ASSERT_EQ(proto.graph().node(0).metadata_props_size(), 2);
    EXPECT_EQ(proto.graph().node(0).metadata_props(0).value(), "before");
    EXPECT_EQ(proto.graph().node(0).metadata_props(1).key(), "duoscope.mark");
    EXPECT_EQ(proto.graph().node(0).metadata_props(1).value(), "after");
}

TEST_F(Edits, NamesReachBodiesButNotFunctions)
{
    auto& branch = m_file.node("If", "", {"x"}, {"z"});
    auto body = test::addBody(branch, "then_branch");
    body.output("t");
    body.node("Neg", "", {"m"}, {"t"});
    test::addNode(m_file.function("F", {"i"}, {"o"}), "Neg", "", {"i"}, {"o"});
    m_file.node("F", "f", {"x"}, {"u"}).set_domain("local");
    const auto model = read();
    EditList edits;
    for (const char* name : {"If:z", "If:z::then_branch::Neg:t", "f::Neg:u"})
        edits.nodeNames.emplace_back(model->findNode(name), name);
    const auto proto = apply(*model, edits);
    EXPECT_EQ(proto.graph().node(2).name(), "If:z");
    EXPECT_EQ(proto.graph().node(2).attribute(0).g().node(0).name(), "If:z::then_branch::Neg:t");
    EXPECT_EQ(proto.functions(0).node(0).name(), "");
}

TEST_F(Edits, ReachBodiesHoweverDeep)
{
    auto outer = test::addBody(m_file.node("If", "if", {"x"}, {"z"}), "then_branch");
    outer.output("t").weight("v");
    outer.node("Mul", "mul", {"m", "v"}, {"u"});
    auto inner = test::addBody(outer.node("If", "deep", {"x"}, {"t"}), "else_branch");
    inner.output("s");
    inner.node("Relu", "relu", {"u"}, {"r"});
    inner.node("Neg", "neg", {"r"}, {"s"});
    const auto model = read();
    const NodeId mul = model->findNode("if::then_branch::mul");
    const NodeId relu = model->findNode("if::then_branch::deep::else_branch::relu");
    const NodeId neg = model->findNode("if::then_branch::deep::else_branch::neg");
    EditList edits;
    edits.removedInBodies = {{model->node(mul).region, "v"}};
    edits.removedNodes = {relu};
    edits.inputs = {{mul, 1, "w"}, {neg, 0, "p"}};
    edits.outputs = {{mul, 0, "p"}};
    NewNode start = newNode("start", {}, false);
    start.region = model->node(neg).region;
    edits.newNodes = {newNode("behind", mul, true), newNode("before", neg, false), start};
    const auto proto = apply(*model, edits);
    const auto& written = proto.graph().node(2).attribute(0).g();
    EXPECT_EQ(written.initializer_size(), 0);
    ASSERT_EQ(written.node_size(), 3);
    EXPECT_EQ(written.node(0).input(1), "w");
    EXPECT_EQ(written.node(0).output(0), "p");
    EXPECT_EQ(written.node(1).name(), "behind");
    const auto& deep = written.node(2).attribute(0).g();
    ASSERT_EQ(deep.node_size(), 3);
    EXPECT_EQ(deep.node(0).name(), "start");
    EXPECT_EQ(deep.node(1).name(), "before");
    EXPECT_EQ(deep.node(2).input(0), "p");
}

TEST_F(Edits, ThatDoNotFitAreNamed)
{
    EditList port;
    port.inputs = {{NodeId(0), 7, "v"}};
    EXPECT_EQ(errorOf(port), "an edit does not fit the model: input 'v': report this");
    EditList tensor;
    tensor.newTensors = {{"s", ElementType::Float32, {2}, std::vector<std::byte>(4)}};
    EXPECT_EQ(errorOf(tensor), "an edit does not fit the model: new initializer 's': report this");
    EditList taken;
    taken.newTensors = {{"w", ElementType::UInt8, {}, std::vector<std::byte>(1)}};
    EXPECT_EQ(errorOf(taken), "an edit does not fit the model: new initializer 'w': report this");
    EditList removed;
    removed.removedTensors = {"v"};
    EXPECT_EQ(errorOf(removed), "an edit does not fit the model: removed initializer 'v': report this");
    EditList inBody;
    inBody.removedInBodies = {{RegionId(0), "v"}};
    EXPECT_EQ(errorOf(inBody), "an edit does not fit the model: removed initializer 'v': report this");
    EditList anchor;
    anchor.newNodes = {newNode("n", NodeId(99), false)};
    EXPECT_EQ(errorOf(anchor), "an edit does not fit the model: new node 'n': report this");
    EditList attribute;
    attribute.attributes = {{NodeId(99), {"axis", std::int64_t{1}}}};
    EXPECT_EQ(errorOf(attribute), "an edit does not fit the model: attribute 'axis': report this");
    EditList type;
    type.opTypes = {{NodeId(99), "Resize"}};
    EXPECT_EQ(errorOf(type), "an edit does not fit the model: operator 'Resize': report this");
}

TEST_F(Edits, TurnNodesIntoOtherOperatorsWithOtherAttributes)
{
    const auto model = read();
    EditList edits;
    const NodeId node = model->findNode("a");
    edits.opTypes = {{node, "Elu"}};
    edits.attributes = {{node, {"alpha", 2.0F}}, {node, {"beta", std::int64_t{3}}}, {node, {"beta", {}}}};
    edits.irVersion = 9;
    const onnx::ModelProto proto = apply(*model, edits);
    EXPECT_EQ(proto.ir_version(), 9);
    EXPECT_EQ(proto.graph().node(0).op_type(), "Elu");
    ASSERT_EQ(proto.graph().node(0).attribute_size(), 1);
    EXPECT_EQ(proto.graph().node(0).attribute(0).name(), "alpha");
    EXPECT_EQ(proto.graph().node(0).attribute(0).f(), 2.0F);
}

} // namespace
} // namespace duo
