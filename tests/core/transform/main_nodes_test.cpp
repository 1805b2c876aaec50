// SPDX-License-Identifier: Apache-2.0
#include "core/transform/main_nodes.h"

#include "core/onnx/absent_data.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::UnorderedElementsAre;

namespace duo {
namespace {

using test::ProtoBuilder;

class MainNodesTest : public testing::Test
{
protected:
    void read(const ProtoBuilder& file)
    {
        const auto model = readStructure(m_folder.write("m.onnx", file.text()));
        ASSERT_TRUE(model) << model.error().line();
        m_model = *model;
    }

    [[nodiscard]] std::vector<std::string> readsOf(const std::string& node) const
    {
        std::vector<std::string> names;
        for (const ValueId value : MainNodes(*m_model).reads(m_model->findNode(node)))
            names.push_back(m_model->value(value).name);
        return names;
    }

    test::TemporaryFolder m_folder;
    std::shared_ptr<const Model> m_model;
};

TEST_F(MainNodesTest, ABodyReadsForItsOwner)
{
    ProtoBuilder file;
    file.input("x").output("y").weight("w");
    auto& condition = *file.proto().add_input();
    condition.set_name("c");
    condition.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
    file.node("Relu", "relu", {"x"}, {"r"});
    auto& choice = file.node("If", "if", {"c"}, {"y"});
    auto then = test::addBody(choice, "then_branch");
    then.node("Mul", "mul", {"r", "w"}, {"m"});
    then.node("Neg", "neg", {"m"}, {"n"});
    then.output("n");
    test::addBody(choice, "else_branch").output("x"); // hands on a value of the main graph
    ASSERT_NO_FATAL_FAILURE(read(file));
    EXPECT_THAT(readsOf("if"), UnorderedElementsAre("x", "w", "c", "r"));
    EXPECT_THAT(readsOf("relu"), UnorderedElementsAre("x"));
    const MainNodes nodes(*m_model);
    EXPECT_EQ(nodes.within(m_model->findNode("if")).size(), 3U);
    EXPECT_EQ(nodes.within(m_model->findNode("relu")).size(), 1U);
    const Node& last = m_model->nodes.back();
    EXPECT_EQ(last.localName, "neg");
    EXPECT_EQ(nodes.around(m_model->findNode(last.name)), m_model->findNode("if"));
}

TEST_F(MainNodesTest, ACallReadsWhatItIsGivenAndNotWhatItComputes)
{
    ProtoBuilder file;
    file.input("x").output("y").weight("w");
    auto& function = file.function("scale", {"a", "b"}, {"d"});
    test::addNode(function, "Mul", "mul", {"a", "b"}, {"c"});
    test::addNode(function, "Relu", "relu", {"c"}, {"d"});
    file.node("scale", "call", {"x", "w"}, {"s"}).set_domain("local");
    file.node("Neg", "neg", {"s"}, {"y"});
    ASSERT_NO_FATAL_FAILURE(read(file));
    EXPECT_THAT(readsOf("call"), UnorderedElementsAre("x", "w"));
    EXPECT_THAT(readsOf("neg"), UnorderedElementsAre("s"));
}

} // namespace
} // namespace duo
