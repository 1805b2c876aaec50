// SPDX-License-Identifier: Apache-2.0
#include "core/engine/find_value_types.h"

#include "core/onnx/absent_data.h"
#include "core/report/inspect_report.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;

class ValueTypesTest : public testing::Test
{
protected:
    /// "float32[N,4]" of a value of the model.
    [[nodiscard]] std::string typeOf(const std::string& value)
    {
        const ValueId id = m_model->findValue(value);
        return id.valid() ? typeText(m_found.types[id.index]) : "no such value";
    }

    void read(const ProtoBuilder& file)
    {
        const auto model = readStructure(m_folder.write("m.onnx", file.text()));
        ASSERT_TRUE(model) << model.error().line();
        m_model = *model;
    }

    void findAt(const ProtoBuilder& file, const std::string& node)
    {
        ASSERT_NO_FATAL_FAILURE(read(file));
        const auto found = findTypesAt(*m_model, m_model->findNode(node));
        ASSERT_TRUE(found) << found.error().line();
        m_found = *found;
    }

    void find(const ProtoBuilder& file)
    {
        ASSERT_NO_FATAL_FAILURE(read(file));
        const auto found = findValueTypes(*m_model);
        ASSERT_TRUE(found) << found.error().line();
        m_found = *found;
    }

    test::TemporaryFolder m_folder;
    std::shared_ptr<const Model> m_model;
    ValueTypes m_found;
};

TEST_F(ValueTypesTest, AreInferredWithSymbolsByName)
{
    ProtoBuilder file;
    file.input("x", {-1, 3, 8, 8}).output("y").weight("w", {4, 3, 3, 3});
    file.node("Conv", "conv", {"x", "w"}, {"c"});
    file.node("Flatten", "flat", {"c"}, {"f"});
    file.node("Shape", "shape", {"f"}, {"s"});
    file.node("Relu", "relu", {"f"}, {"y"});
    find(file);
    EXPECT_FALSE(m_found.problem) << m_found.problem->line();
    EXPECT_EQ(typeOf("c"), "float32[N,4,6,6]");
    EXPECT_EQ(typeOf("f"), "float32[N,144]");
    EXPECT_EQ(typeOf("s"), "int64[2]");
}

TEST_F(ValueTypesTest, ASizeThatPassesThroughTensorsKeepsItsName)
{
    ProtoBuilder file;
    file.input("x", {-1, 8}).output("y");
    file.tensor("first", {}, onnx::TensorProto::INT64).add_int64_data(0);
    file.tensor("axes", {1}, onnx::TensorProto::INT64).add_int64_data(0);
    auto& sizes = file.tensor("sizes", {2}, onnx::TensorProto::INT64);
    for (const std::int64_t size : {2, 4})
        sizes.add_int64_data(size);
    file.node("Shape", "shape", {"x"}, {"s"});
    file.node("Gather", "gather", {"s", "first"}, {"n"});
    file.node("Unsqueeze", "unsqueeze", {"n", "axes"}, {"list"});
    test::addInt(file.node("Concat", "concat", {"list", "sizes"}, {"target"}), "axis", 0);
    file.node("Reshape", "reshape", {"x", "target"}, {"r"});
    file.node("Relu", "relu", {"r"}, {"y"});
    find(file);
    EXPECT_EQ(typeOf("r"), "float32[N,2,4]");
    findAt(file, "relu");
    EXPECT_EQ(typeOf("r"), "float32[N,2,4]");
}

TEST_F(ValueTypesTest, WhatNobodyKnowsIsNotSaid)
{
    ProtoBuilder file;
    file.input("x", {2}).output("y");
    auto& target = *file.proto().add_input();
    target.set_name("target");
    target.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::INT64);
    target.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("K");
    file.node("Reshape", "reshape", {"x", "target"}, {"r"});
    file.node("Relu", "relu", {"r"}, {"y"});
    file.node("Size", "size", {"x"}, {"scalar"});
    find(file);
    EXPECT_EQ(typeOf("r"), "float32 of unknown rank");
    EXPECT_EQ(typeOf("scalar"), "int64[]"); // which is no unknown rank
}

TEST_F(ValueTypesTest, ShapesFollowFromSmallTensorsWhereWeightsAreAbsent)
{
    ProtoBuilder file;
    file.input("x", {-1, 64}).output("y").external("w", {64, 128}, "gone.bin");
    auto& shape = file.tensor("shape", {3}, onnx::TensorProto::INT64);
    for (const std::int64_t dim : {0, 16, 8})
        shape.add_int64_data(dim);
    file.node("MatMul", "product", {"x", "w"}, {"p"});
    file.node("Reshape", "reshape", {"p", "shape"}, {"r"});
    file.node("Relu", "relu", {"r"}, {"y"});
    find(file);
    ASSERT_EQ(absentFiles(*m_model).size(), 1U);
    EXPECT_FALSE(m_found.problem) << m_found.problem->line();
    EXPECT_EQ(typeOf("p"), "float32[N,128]");
    EXPECT_EQ(typeOf("r"), "float32[N,16,8]");
}

TEST_F(ValueTypesTest, SmallTensorsOfAFileAreReadFromIt)
{
    const std::string numbers("\0\0\0\0\0\0\0\0\x20\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0", 24); // 0, 32, 2
    m_folder.write("shape.bin", numbers);
    ProtoBuilder file;
    file.input("x", {-1, 64}).output("y");
    file.external("shape", {3}, "shape.bin").set_data_type(onnx::TensorProto::INT64);
    file.node("Reshape", "reshape", {"x", "shape"}, {"r"});
    file.node("Relu", "relu", {"r"}, {"y"});
    find(file);
    EXPECT_EQ(typeOf("r"), "float32[N,32,2]");
}

TEST_F(ValueTypesTest, WhatTheFileSaysStays)
{
    ProtoBuilder file;
    file.input("x", {-1, 4}).output("y", {-1, 4});
    file.node("Relu", "relu", {"x"}, {"r"});
    file.node("Relu", "relu_1", {"r"}, {"y"});
    auto& info = *file.proto().add_value_info();
    info.set_name("r");
    info.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::FLOAT);
    info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("rows");
    info.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim(); // the file leaves it open
    find(file);
    EXPECT_EQ(typeOf("r"), "float32[rows,4]");
}

TEST_F(ValueTypesTest, AnOperatorThatTheEngineDoesNotKnowIsSaid)
{
    ProtoBuilder file;
    file.input("x", {2}).output("y");
    file.node("Unheard", "odd", {"x"}, {"o"}).set_domain("of.nobody");
    file.node("Relu", "relu", {"o"}, {"y"});
    find(file);
    ASSERT_TRUE(m_found.problem);
    EXPECT_EQ(m_found.problem->code, ErrorCode::EngineFailed);
    EXPECT_EQ(typeOf("o"), "type not known");
}

TEST_F(ValueTypesTest, NodesThatShareANameDoNotMatter)
{
    ProtoBuilder file;
    file.input("x", {2, 3}).output("y");
    file.node("Relu", "same", {"x"}, {"r"});
    file.node("Transpose", "same", {"r"}, {"t"});
    file.node("Relu", "same", {"t"}, {"y"});
    find(file);
    EXPECT_EQ(typeOf("t"), "float32[3,2]");
}

TEST_F(ValueTypesTest, OfOneNodeAreFoundPieceByPiece)
{
    constexpr int kNodes = 2500; // more than two pieces
    ProtoBuilder file;
    file.input("x", {-1, 4}).output("y", {-1, 6}).weight("w", {4, 6});
    file.node("MatMul", "n1", {"x", "w"}, {"v1"});
    for (int i = 2; i <= kNodes; ++i)
        file.node("Relu", "n" + std::to_string(i), {"v" + std::to_string(i - 1)}, {"v" + std::to_string(i)});
    file.node("Relu", "last", {"v2500"}, {"y"});
    findAt(file, "n2500");
    EXPECT_FALSE(m_found.problem) << m_found.problem->line();
    EXPECT_EQ(typeOf("v2499"), "float32[N,6]");
    EXPECT_EQ(typeOf("v2500"), "float32[N,6]");
    findAt(file, "n10");
    EXPECT_EQ(typeOf("v10"), "float32[N,6]");
    EXPECT_EQ(typeOf("v11"), "float32 of unknown rank") << "nothing asked for it";
}

TEST_F(ValueTypesTest, OfOneNodeOfAnOperatorThatTheEngineDoesNotKnowAreSaidToo)
{
    ProtoBuilder file;
    file.input("x", {2}).output("y");
    file.node("Unheard", "odd", {"x"}, {"o"}).set_domain("of.nobody");
    file.node("Relu", "relu", {"o"}, {"y"});
    findAt(file, "relu");
    ASSERT_TRUE(m_found.problem);
    EXPECT_EQ(typeOf("o"), "type not known");
    EXPECT_EQ(typeOf("y"), "float32[2]");
}

TEST_F(ValueTypesTest, InABranchTheyFollowFromOperators)
{
    ProtoBuilder file;
    file.input("x", {-1, 4}).output("y");
    auto& is = *file.proto().add_input();
    is.set_name("is");
    is.mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::BOOL);
    is.mutable_type()->mutable_tensor_type()->mutable_shape();
    auto& choice = file.node("If", "choice", {"is"}, {"y"});
    for (const std::string key : {"then_branch", "else_branch"}) {
        auto branch = test::addBody(choice, key);
        branch.node("Transpose", key + "/turn", {"x"}, {key + "/turned"});
        branch.node("Relu", key + "/relu", {key + "/turned"}, {key + "/y"});
        branch.proto().add_output()->set_name(key + "/y");
    }
    find(file);
    const std::string name = "choice::then_branch::then_branch/";
    ASSERT_FALSE(m_found.problem) << m_found.problem->line();
    const NodeId turn = m_model->findNode(name + "turn");
    ASSERT_TRUE(turn.valid());
    const std::string inPlace = typeText(m_found.of(m_model->node(turn).outputs[0]));
    EXPECT_EQ(inPlace, "float32[4,N]");
    ASSERT_NO_FATAL_FAILURE(findAt(file, name + "turn"));
    EXPECT_EQ(typeText(m_found.of(m_model->node(turn).outputs[0])), inPlace);
}

/// All that is said of the ports of a node.
std::string typesAt(const Model& model, const Node& node, const ValueTypes& types)
{
    std::string text = node.name + ":";
    for (const auto* ports : {&node.inputs, &node.outputs}) {
        for (const ValueId value : *ports)
            text += value.valid() ? " " + typeText(types.of(value)) : " -";
    }
    return text + " in " + model.path.filename().string();
}

class TypesAt : public testing::TestWithParam<const char*>
{
};

TEST_P(TypesAt, AreThoseOfTheWholeModel)
{
    const auto model = readStructure(std::string(DUO_TEST_DATA) + "/" + GetParam());
    ASSERT_TRUE(model) << model.error().line();
    const auto all = findValueTypes(**model);
    ASSERT_TRUE(all) << all.error().line();
    ASSERT_FALSE(all->problem) << all->problem->line();
    for (std::size_t i = 0; i < (*model)->nodes.size(); ++i) {
        const auto found = findTypesAt(**model, NodeId(i));
        ASSERT_TRUE(found) << found.error().line();
        EXPECT_EQ(typesAt(**model, (*model)->nodes[i], *found), typesAt(**model, (*model)->nodes[i], *all));
    }
}

INSTANTIATE_TEST_SUITE_P(Models, TypesAt,
    testing::Values("models/branches.onnx", "models/loop.onnx", "models/scan.onnx", "models/functions.onnx",
        "models/symbolic.onnx", "models/skl_digits.onnx", "models/duplicate_names.onnx", "models/half.onnx",
        "models/partly_quantized.onnx", "cases/m_inits_as_inputs.onnx", "cases/n4_functions_shared.onnx",
        "cases/r9_functions_nested.onnx", "cases/h3_lstmcell_loop.onnx", "cases/j_control.onnx"),
    [](const auto& each) { return std::filesystem::path(each.param).stem().string(); });

} // namespace
} // namespace duo
