// SPDX-License-Identifier: Apache-2.0
// Real files that AIMET, Olive, optimum and winml-cli made of PyTorch's.
#include "core/scope/producers/producers.h"
#include "tests/core/scope/producers/producer_file.h"
#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

std::string noteOf(const Model& model)
{
    const auto note = producerNote(model);
    return note ? note->text : "";
}

TEST(Rewriters, EachIsToldByWhatItLeavesInTheFile)
{
    EXPECT_EQ(noteOf(*producerFile("aimet_blocks").model),
        "rewritten by AIMET: the quantizers it puts in are of no module: they are shown beside what they quantize");
    EXPECT_THAT(noteOf(*producerFile("olive_bert").model), testing::StartsWith("rewritten by Olive: "));
    EXPECT_THAT(noteOf(*producerFile("winml_bert").model), testing::StartsWith("rewritten by winml-cli: "));
    EXPECT_EQ(noteOf(*producerFile("optimum_bert").model), ""); // nothing tells it from PyTorch's own
}

TEST(AimetFiles, QuantizersOfAWeightRunWithTheModuleThatReadsIt)
{
    const auto found = producerFile("aimet_blocks");
    EXPECT_EQ(found.node("QcQuantizeOp_blocks.0.conv1.weight_dq").execution, "blocks/0/conv1");
    EXPECT_EQ(found.provenance("QcQuantizeOp_blocks.0.conv1.weight_dq").substr(0, 8), "dataflow");
    EXPECT_THAT(found.node("/blocks/blocks.0/conv1/Conv").storage, testing::ElementsAre("blocks.0.conv1"));
}

TEST(AimetFiles, QuantizersBetweenTwoModulesAreAGuess)
{
    const auto found = producerFile("aimet_blocks");
    EXPECT_EQ(found.provenance("QcQuantizeOp_/stem/Conv_output_0_q").substr(0, 5), "guess");
}

TEST(OliveFiles, FusedNodesWithoutANameAreAGuess)
{
    const auto found = producerFile("olive_bert");
    EXPECT_GE(percentKnown(found), 92);
    for (std::size_t n = 0; n < found.model->nodes.size(); ++n) {
        const std::string& kind = found.model->nodes[n].opType;
        if (kind == "SkipLayerNormalization" || kind == "Gelu") {
            EXPECT_EQ(found.scopes.nodes[n].executionFrom, Provenance::Guess) << found.model->nodes[n].name;
        }
    }
}

TEST(OptimumFiles, AreToldAsPyTorchs)
{
    const auto found = producerFile("optimum_bert");
    EXPECT_GE(percentKnown(found), 93); // all but Constants
    EXPECT_EQ(found.at("/bert/encoder/layer.1/output/dense/MatMul"),
        (Expected{"bert/encoder/layer.1/output/dense", {"bert.encoder.layer.1.output.dense"},
            {"container-skipped", "renamed-tensor"}, false}));
}

std::string classOf(const FoundScopes& found, const std::string& path)
{
    return found.scopes.execution.scope(found.scopes.execution.find(path)).className;
}

TEST(WinmlFiles, TagsNameTheClassesOfModules)
{
    const auto found = producerFile("winml_bert");
    EXPECT_EQ(percentKnown(found), 100);
    EXPECT_EQ(classOf(found, "bert"), "BertModel");
    EXPECT_EQ(classOf(found, "bert/encoder/layer.1"), "BertLayer");
    EXPECT_EQ(classOf(found, "bert/encoder/layer.1/attention/self"), "BertSelfAttention");
    EXPECT_EQ(classOf(found, "bert/encoder/layer.1/attention/self/query"), ""); // one of PyTorch's own: left out
}

std::shared_ptr<const Model> taggedModel(const std::string& tag)
{
    return ModelBuilder()
        .producer("pytorch")
        .input("x", {1, 4})
        .weight("enc.layers.0.weight", {4, 4})
        .node("Gemm", "/enc/layers.0/Gemm", {"x", "enc.layers.0.weight"}, {"y"})
        .metadata("winml.hierarchy.tag", tag)
        .output("y")
        .build();
}

TEST(WinmlFiles, ATagThatStopsAboveTheNodeNamesNoClass)
{
    EXPECT_EQ(classOf(FoundScopes(taggedModel("/Net/Encoder/Layer.0")), "enc/layers.0"), "Layer");
    for (const std::string tag : {"/Net/Encoder", "/Net/Encoder/Layer.1", "/Net/Encoder/", "/Net/Encoder/Layer.0/Own",
             "Net/Encoder/Layer.0", "/"}) {
        const FoundScopes found(taggedModel(tag));
        EXPECT_EQ(classOf(found, "enc/layers.0"), "") << tag;
        EXPECT_EQ(classOf(found, "enc"), "") << tag;
    }
}

} // namespace
} // namespace duo::test
