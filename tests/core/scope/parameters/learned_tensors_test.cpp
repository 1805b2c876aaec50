// SPDX-License-Identifier: Apache-2.0
// Which tensors of a file count as parameters, and who owns them, wherever the file keeps them.
#include "core/scope/parameters/learned_tensors.h"

#include "core/onnx/reader.h"
#include "core/scope/parameters/model_constants.h"
#include "tests/core/scope/found_scopes.h"
#include "tests/support/model_builder.h"
#include "tests/support/proto_builder.h"
#include "tests/support/proto_rewrites.h"
#include "tests/support/seeded_fill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

/// Values that no program would write down.
std::vector<float> learned()
{
    return {0.31F, -0.72F, 0.18F, 1.07F, -0.44F, 0.93F, -1.21F, 0.56F, 0.05F, -0.87F, 0.66F};
}

std::vector<std::string> constantsOf(const FoundScopes& found)
{
    std::vector<std::string> names;
    for (const HeldTensor& held : modelConstants(*found.model, found.scopes))
        names.emplace_back(held.name);
    return names;
}

std::int64_t storedParameters(const FoundScopes& found)
{
    return found.scopes.storage.scopes.front().totalParameters;
}

FoundScopes scopesOf(const onnx::ModelProto& proto)
{
    const auto owner = std::make_shared<const std::string>(proto.SerializeAsString());
    const auto model = readModelBytes({owner, std::as_bytes(std::span(owner->data(), owner->size()))}, "model");
    EXPECT_TRUE(model) << model.error().line();
    return FoundScopes(*model);
}

onnx::ModelProto protoOf(const std::string& file)
{
    onnx::ModelProto proto;
    std::ifstream in(std::string(DUO_TEST_DATA) + "/" + file, std::ios::binary);
    EXPECT_TRUE(proto.ParseFromIstream(&in)) << file;
    EXPECT_TRUE(fillModel(proto));
    return proto;
}

TEST(LearnedTensors, UseTellsWhatNamesDoNot)
{
    ModelBuilder builder;
    builder.input("x", {1, 3, 8, 8});
    builder.weight("/1", {6, 3, 3, 3}).weight("/2", {6}).weight("/3", {1, 6, 1, 1}, {0}).weight("/4", {1, 6, 1, 1});
    builder.ints("/shape", {1, 384}).weight("/scales", {4}, {1, 1, 2, 2}).weight("/eps", {}, {1e-5F});
    builder.node("Conv", "conv", {"x", "/1"}, {"a"}).node("Add", "bias", {"a", "/3"}, {"b"});
    builder.node("Mul", "gain", {"b", "/4"}, {"c"}).node("Add", "shift", {"c", "/2"}, {"d"});
    builder.node("Add", "eps", {"d", "/eps"}, {"e"}).node("Resize", "up", {"e", "", "/scales"}, {"f"});
    builder.node("Reshape", "flat", {"f", "/shape"}, {"y"}).output("y");
    const FoundScopes found(builder.build());
    EXPECT_THAT(constantsOf(found), UnorderedElementsAre("/shape", "/scales", "/eps"));
    EXPECT_EQ(storedParameters(found), 6 * 27 + 3 * 6);
    EXPECT_EQ(parameterTotals(*found.model).parameters, storedParameters(found));
    EXPECT_EQ(parameterTotals(*found.model).bytes, 4 * storedParameters(found));
}

TEST(LearnedTensors, MasksGridsAndStepsAreConstants)
{
    std::vector<float> steps(64);
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i] = 0.25F * static_cast<float>(i);
    ModelBuilder builder;
    builder.input("x", {1, 64}).weight("/mask", {64, 64}, {0, -1e9F}).weight("/steps", {1, 64}, steps);
    builder.weight("/state", {2, 64}, {0}).weight("/position", {64, 64}, learned());
    builder.node("Add", "mask", {"x", "/mask"}, {"a"}).node("Mul", "grid", {"a", "/steps"}, {"b"});
    builder.node("Concat", "state", {"b", "/state"}, {"c"});
    builder.node("Add", "position", {"c", "/position"}, {"y"}).output("y");
    const FoundScopes found(builder.build());
    EXPECT_THAT(constantsOf(found), UnorderedElementsAre("/mask", "/steps", "/state"));
    EXPECT_EQ(storedParameters(found), 64 * 64);
    EXPECT_THAT(found.node("position").reasons, ElementsAre()); // nobody is known to own it
}

TEST(LearnedTensors, IntegersThatBecomeFloatsAreWeightsAndTheirScalesAreNot)
{
    ProtoBuilder builder;
    builder.input("x", {1, 8}).output("y", {1, 8});
    auto& weight = builder.tensor("/weight", {8, 8}, onnx::TensorProto::INT8);
    weight.set_raw_data(std::string(64, 3));
    auto& zero = builder.tensor("/zero", {8}, onnx::TensorProto::INT8);
    zero.set_raw_data(std::string(8, 1));
    builder.weight("/scale", {8}, learned());
    addInt(builder.node("Cast", "cast", {"/weight"}, {"w"}), "to", 1);
    addInt(builder.node("Cast", "castZero", {"/zero"}, {"z"}), "to", 1);
    builder.node("Sub", "sub", {"w", "z"}, {"s"});
    builder.node("Mul", "mul", {"s", "/scale"}, {"f"});
    builder.node("MatMul", "product", {"x", "f"}, {"y"});
    const FoundScopes found = scopesOf(builder.model());
    EXPECT_THAT(constantsOf(found), UnorderedElementsAre("/zero", "/scale"));
    EXPECT_EQ(storedParameters(found), 64);
    EXPECT_EQ(parameterTotals(*found.model).bytes, 64);
}

TEST(LearnedTensors, WeightsBesideScalesAreThoseThatTheOperatorReadsAsWeights)
{
    ProtoBuilder builder;
    builder.input("x", {1, 8}).output("y", {1, 8});
    builder.tensor("qkv.weight", {8, 24}, onnx::TensorProto::INT8).set_raw_data(std::string(192, 3));
    builder.weight("qkv.bias", {24}, learned()).weight("x.scale", {1}).weight("qkv.weight_scale", {24}, learned());
    builder.node("QAttention", "attention", {"x", "qkv.weight", "qkv.bias", "x.scale", "qkv.weight_scale"}, {"y"})
        .set_domain("com.microsoft");
    const FoundScopes found = scopesOf(builder.model());
    EXPECT_THAT(constantsOf(found), UnorderedElementsAre("x.scale", "qkv.weight_scale"));
    EXPECT_EQ(storedParameters(found), 192 + 24);
}

TEST(LearnedTensors, AVectorBehindAProductWithABiasIsNoneOfItsOwn)
{
    for (const bool hasBias : {false, true}) {
        ProtoBuilder builder;
        builder.input("x", {1, 16}).output("y", {1, 8});
        builder.tensor("packed", {8, 1, 8}, onnx::TensorProto::UINT8).set_raw_data(std::string(64, 3));
        builder.weight("scales", {8}, learned()).weight("bias", {8}, learned()).weight("steps", {8}, {1, 2});
        std::vector<std::string> inputs{"x", "packed", "scales"};
        if (hasBias)
            inputs.insert(inputs.end(), {"", "", "bias"});
        builder.node("MatMulNBits", "product", inputs, {"p"}).set_domain("com.microsoft");
        builder.node("Add", "add", {"p", "steps"}, {"y"});
        const FoundScopes found = scopesOf(builder.model());
        const auto constants = constantsOf(found);
        EXPECT_EQ(std::ranges::count(constants, "steps"), hasBias ? 1 : 0);
    }
}

TEST(LearnedTensors, NormalizationsThatExportersFillInHaveNoParameters)
{
    ModelBuilder builder;
    builder.input("x", {1, 4, 8}).weight("/ones", {4}, {1}).weight("/zeros", {4}, {0});
    builder.weight("/scale", {4}, learned()).weight("/shift", {4}, {0});
    builder.node("InstanceNormalization", "plain", {"x", "/ones", "/zeros"}, {"a"});
    builder.node("InstanceNormalization", "affine", {"a", "/scale", "/shift"}, {"y"}).output("y");
    EXPECT_EQ(storedParameters(FoundScopes(builder.build())), 4);
}

TEST(LearnedTensors, ConstantNodesAreNoOperations)
{
    ProtoBuilder builder;
    builder.input("x", {1, 8}).output("y", {1, 8}).weight("fc.weight", {8, 8}, learned()).weight("fc.bias", {8});
    builder.node("Gemm", "/fc/Gemm", {"x", "fc.weight", "fc.bias"}, {"y"});
    const FoundScopes before = scopesOf(builder.model());
    std::mt19937 random{7};
    initializersToConstants(builder.model(), random);
    const FoundScopes after = scopesOf(builder.model());
    EXPECT_EQ(after.at("/fc/Gemm"), (Expected{"fc", {"fc"}, {}, false}));
    EXPECT_EQ(after.provenance("/fc/Gemm"), "name/name");
    for (const FoundScopes* found : {&before, &after}) {
        EXPECT_THAT(found->paths(found->scopes.storage), ElementsAre("fc"));
        EXPECT_EQ(found->scopes.execution.scopes.front().totalNodes, 1);
        EXPECT_EQ(found->scopes.execution.scopes.front().totalParameters, 72);
        EXPECT_EQ(storedParameters(*found), 72);
        EXPECT_EQ(parameterTotals(*found->model).parameters, 72);
    }
}

TEST(LearnedTensors, ABodysParametersBelongToTheModuleTheirNamesSay)
{
    ProtoBuilder builder;
    builder.input("x", {1, 8}).output("y", {1, 8});
    builder.tensor("which", {}, onnx::TensorProto::BOOL).set_raw_data(std::string(1, 1));
    onnx::NodeProto& choice = builder.node("If", "/If", {"which"}, {"y"});
    for (const char* branch : {"then_branch", "else_branch"}) {
        GraphProtoBuilder body = addBody(choice, branch);
        const std::string key = std::string(branch) + ".fc.weight";
        body.output("z", {1, 8}).weight(key, {8, 8}, learned()).node("MatMul", "/fc/MatMul", {"x", key}, {"z"});
    }
    const FoundScopes found = scopesOf(builder.model());
    EXPECT_THAT(found.paths(found.scopes.storage),
        ElementsAre("then_branch", "then_branch.fc", "else_branch", "else_branch.fc"));
    EXPECT_EQ(storedParameters(found), 128);
}

/// A file that people have, and what is in it: floats with a rank, and of one element only where a node takes them for
/// a bias (counted with Python's onnx).
struct Shipped {
    const char* file;
    std::int64_t parameters;
    std::int64_t bytes;
    std::size_t operations; // without Constant nodes, bodies included
};

std::ostream& operator<<(std::ostream& out, const Shipped& shipped)
{
    return out << shipped.file;
}

class ShippedFiles : public testing::TestWithParam<Shipped>
{
};

TEST_P(ShippedFiles, TotalsAgreeWithTheFileInBothForms)
{
    onnx::ModelProto proto = protoOf(GetParam().file);
    const FoundScopes found = scopesOf(proto);
    onnx::ModelProto other = proto;
    std::mt19937 random{7};
    initializersToConstants(other, random);
    constantsToInitializers(proto);
    const FoundScopes moved = scopesOf(other);
    const FoundScopes back = scopesOf(proto);
    for (const FoundScopes* scopes : {&found, &moved, &back}) {
        for (const ScopeTree* tree : {&scopes->scopes.storage, &scopes->scopes.execution}) {
            EXPECT_EQ(tree->scopes.front().totalParameters, GetParam().parameters);
            EXPECT_EQ(tree->scopes.front().totalBytes, GetParam().bytes);
        }
        EXPECT_EQ(scopes->scopes.execution.scopes.front().totalNodes, static_cast<std::int64_t>(GetParam().operations));
        EXPECT_EQ(parameterTotals(*scopes->model).parameters, GetParam().parameters);
        EXPECT_EQ(parameterTotals(*scopes->model).bytes, GetParam().bytes);
    }
    EXPECT_THAT(
        moved.paths(moved.scopes.storage), testing::UnorderedElementsAreArray(found.paths(found.scopes.storage)));
}

INSTANTIATE_TEST_SUITE_P(All, ShippedFiles,
    testing::Values(Shipped{"shipped/paddle_angle.structure.onnx", 133628, 534512, 258},
        Shipped{"shipped/silero_vad.structure.onnx", 545282, 2181128, 348},
        Shipped{"shipped/silero_vad_half.structure.onnx", 309633, 1238532, 170},
        Shipped{"shipped/magika.structure.onnx", 784214, 3136856, 95}));

} // namespace
} // namespace duo::test
