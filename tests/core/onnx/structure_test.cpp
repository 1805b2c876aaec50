// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/structure.h"

#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

std::string nodeNames(const Structure& structure)
{
    std::string names;
    for (std::size_t i = 0; i < structure.nodeCount(); ++i) {
        onnx::NodeProto node;
        structure.parseNode(i, node);
        names += node.name() + ' ';
    }
    return names;
}

void fill(test::ProtoBuilder& file)
{
    file.input("x").output("y").weight("w");
    file.node("Mul", "first", {"x", "w"}, {"h"});
    file.node("Relu", "second", {"h"}, {"y"});
    test::addNode(file.function("F", {"a"}, {"b"}), "Relu", "inside", {"a"}, {"b"});
}

TEST(Structure, IsAllThatTheFileHas)
{
    test::ProtoBuilder file;
    fill(file);
    onnx::ModelProto whole;
    Structure(file.text()).parse(whole);
    EXPECT_EQ(whole.SerializeAsString(), file.text());
}

TEST(Structure, GivesTheNodesOfTheMainGraphOneByOneAndTheRestApart)
{
    test::ProtoBuilder file;
    fill(file);
    const Structure structure(file.text());
    EXPECT_EQ(nodeNames(structure), "first second ");
    onnx::ModelProto rest = file.model();
    rest.mutable_graph()->clear_node();
    EXPECT_EQ(structure.besidesNodes().SerializeAsString(), rest.SerializeAsString());
}

// Protobuf merges what a message holds several times.
TEST(Structure, TakesGraphsInPiecesAsOne)
{
    test::ProtoBuilder file;
    fill(file);
    test::ProtoBuilder more;
    more.node("Sigmoid", "third", {"y"}, {"z"});
    const Structure structure(file.text() + more.text());
    EXPECT_EQ(nodeNames(structure), "first second third ");
    EXPECT_EQ(structure.besidesNodes().graph().initializer_size(), 1);
}

TEST(Structure, OfAModelWithoutNodesHasNone)
{
    EXPECT_EQ(Structure(test::ProtoBuilder().text()).nodeCount(), 0U);
    EXPECT_EQ(Structure(std::string()).nodeCount(), 0U);
}

} // namespace
} // namespace duo
