// SPDX-License-Identifier: Apache-2.0
// JAX and Flax through jax2tf and tf2onnx: functions are no scopes, modules are.
#include "core/model/held_tensors.h"
#include "tests/core/scope/producers/producer_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(JaxNames, ModulesOfFlaxAreScopesAndJittedFunctionsAreNot)
{
    const auto found = producerFile("magika");
    EXPECT_THAT(found.paths(found.scopes.execution),
        testing::UnorderedElementsAre("MagikaV2", "MagikaV2/Dense_0", "MagikaV2/ApplyActivation_0",
            "MagikaV2/LayerNorm_0", "MagikaV2/LayerNorm_1", "MagikaV2/Conv_0", "MagikaV2/ApplyActivation_1",
            "MagikaV2/Dense_1"));
    const std::string prefix = "jax2tf_get_logits_/pjit_get_logits_/";
    EXPECT_EQ(found.node(prefix + "MagikaV2/Dense_0/einsum/Einsum").execution, "MagikaV2/Dense_0");
    EXPECT_EQ(found.node(prefix + "pjit__one_hot_/Reshape").execution, "");
    EXPECT_EQ(found.provenance(prefix + "pjit__one_hot_/Reshape").substr(0, 4), "name");
    EXPECT_EQ(
        found.at(prefix + "MagikaV2/Conv_0/Conv2D"), (Expected{"MagikaV2/Conv_0", {"MagikaV2.Conv_0"}, {}, false}));
    EXPECT_GE(percentKnown(found), 98); // one Unsqueeze between two modules
}

TEST(JaxNames, NestedModulesAreNestedScopes)
{
    const auto found = producerFile("jax_encoder");
    EXPECT_EQ(
        found.node("jax2tf__lambda__/pjit__lambda__/Enc/Block_0/LayerNorm_0/Sum").execution, "Enc/Block_0/LayerNorm_0");
    EXPECT_EQ(found.scopes.execution.scopes.size(), 20U);
    EXPECT_GE(percentKnown(found), 42); // without biases nothing tells where the nodes of its einsums run
}

TEST(JaxNames, NamelessNodesOfProjectionsSideBySideRunWhereTheirBiasIsAdded)
{
    const auto found = producerFile("flax_attention");
    EXPECT_GE(percentKnown(found), 97);
    std::map<std::string, int> products;
    for (std::size_t n = 0; n < found.model->nodes.size(); ++n) {
        if (found.model->nodes[n].opType == "Gemm" && found.scopes.nodes[n].executionFrom == Provenance::Dataflow)
            ++products[found.scopes.nodes[n].execution];
    }
    for (const std::string block : {"Encoder/Block_0/", "Encoder/Block_1/"}) {
        for (const std::string projection : {"query", "key", "value"})
            EXPECT_EQ(products[block + "MultiHeadDotProductAttention_0/" + projection], 1) << block << projection;
    }
}

TEST(JaxNames, WorkThatTheConverterKeptOnceForSeveralProjectionsIsAGuess)
{
    const auto found = producerFile("flax_attention");
    int guesses = 0;
    for (std::size_t n = 0; n < found.model->nodes.size(); ++n) {
        if (found.scopes.nodes[n].executionFrom == Provenance::Guess && !isConstantNode(found.model->nodes[n]))
            ++guesses;
    }
    EXPECT_EQ(guesses, 8); // four in front of each block's query, key and value
}

TEST(JaxNames, AModuleThatReadsItsWeightAgainIsCalledAgain)
{
    const auto found = producerFile("jax_shared");
    const std::string prefix = "jax2tf__lambda__/pjit__lambda__/Shared/";
    EXPECT_EQ(found.node(prefix + "lin/MatMul").execution, "Shared/lin");
    EXPECT_EQ(found.node(prefix + "lin/MatMul_1").execution, "Shared/lin#1");
    EXPECT_EQ(found.node(prefix + "pjit_relu_/Maximum_1").execution, "Shared");
}

} // namespace
} // namespace duo::test
