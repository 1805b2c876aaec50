// SPDX-License-Identifier: Apache-2.0
// Golden facts of whole networks, written from their Python source (tests/peers/cases/export_three_ways.py, and
// Hugging Face's modeling_bert.py and modeling_gpt2.py), and held against each of four files of the same network:
// .pt2 in both layouts, ONNX by the newer exporter and ONNX by the TorchScript one.
#include "core/pipeline/snapshot/snapshot.h"
#include "tests/core/pipeline/module_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace duo::test {
namespace {

using Facts = std::vector<std::string>;
using Change = std::pair<std::string, std::string>; // a fact, and what is left of it in a format

struct Network {
    std::string name;
    Facts facts;
    std::vector<Change> inDynamo = {}; // what this format cannot carry
    std::vector<Change> inScript = {};
};

void PrintTo(const Network& network, std::ostream* out)
{
    *out << network.name;
}

/// The root calls a block, then a module that holds the block, too, and calls it before and after its own layer.
/// Names alone do not tell that `mid.blk` is the same object: there it is a module that `mid` does not hold.
Network levels()
{
    return {"levels",
        {"blk <- blk {aliased-parameter shared-module} differs",
            "blk/lin <- blk.lin {aliased-parameter shared-module} differs",
            "mid/blk#1 <- blk {aliased-parameter shared-module} differs",
            "mid/blk#1/lin#1 <- blk.lin {aliased-parameter shared-module} differs",
            "mid/blk#2 <- blk {aliased-parameter shared-module} differs",
            "mid/blk#2/lin#2 <- blk.lin {aliased-parameter shared-module} differs", "mid/own <- mid.own"},
        {},
        {{"blk <- blk {aliased-parameter shared-module} differs", "blk <- blk {shared-module} differs"},
            {"blk/lin <- blk.lin {aliased-parameter shared-module} differs",
                "blk/lin <- blk.lin {shared-module} differs"},
            {"mid/blk#1 <- blk {aliased-parameter shared-module} differs",
                "mid/@blk#1 <- blk {foreign-call shared-module} differs"},
            {"mid/blk#1/lin#1 <- blk.lin {aliased-parameter shared-module} differs",
                "mid/@blk#1/lin#1 <- blk.lin {foreign-call shared-module} differs"},
            {"mid/blk#2 <- blk {aliased-parameter shared-module} differs",
                "mid/@blk#2 <- blk {foreign-call shared-module} differs"},
            {"mid/blk#2/lin#2 <- blk.lin {aliased-parameter shared-module} differs",
                "mid/@blk#2/lin#2 <- blk.lin {foreign-call shared-module} differs"}}};
}

/// A block called three times that calls its own layer three times.
Network twoLevels()
{
    Facts facts;
    for (int call = 0; call < 9; ++call) {
        const auto number = [](int n) { return n == 0 ? std::string() : "#" + std::to_string(n); };
        facts.push_back("blk" + number(call / 3) + "/lin" + number(call) + " <- blk.lin {shared-module} differs");
    }
    return {"two_levels", facts};
}

/// Attention packs its three projections into a parameter of its own and reads the last one's without calling it.
Network encoder()
{
    return {"encoder",
        {"enc/layers.0/linear1 <- enc.layers.0.linear1 {container-skipped}",
            "enc/layers.0/linear2 <- enc.layers.0.linear2 {container-skipped}",
            "enc/layers.0/norm1 <- enc.layers.0.norm1 {container-skipped}",
            "enc/layers.0/norm2 <- enc.layers.0.norm2 {container-skipped}",
            "enc/layers.0/self_attn <- enc.layers.0.self_attn enc.layers.0.self_attn.out_proj"
            " {container-skipped functional-use} differs",
            "head <- head"}};
}

/// The decoder's weight is the embedding's, its bias the one of the module around it. An ONNX file holds a tensor under
/// one key. The newer exporter takes the last one, and then nothing leads to the other key of the bias; the TorchScript
/// one takes the first, and then nothing tells that the bias is the decoder's own, too.
Network bert()
{
    const std::string layer = "bert/encoder/layer.0/";
    const std::string stored = "bert.encoder.layer.0.";
    const std::string decoder = "cls/predictions/decoder <- bert.embeddings.word_embeddings ";
    const std::string words = "bert/embeddings/word_embeddings <- bert.embeddings.word_embeddings";
    Network network{"bert",
        {"bert/embeddings/LayerNorm <- bert.embeddings.LayerNorm",
            "bert/embeddings/position_embeddings <- bert.embeddings.position_embeddings",
            "bert/embeddings/token_type_embeddings <- bert.embeddings.token_type_embeddings",
            words + " {aliased-parameter}", decoder + "cls.predictions {aliased-parameter} differs",
            "cls/predictions/transform/LayerNorm <- cls.predictions.transform.LayerNorm",
            "cls/predictions/transform/dense <- cls.predictions.transform.dense"},
        {{decoder + "cls.predictions {aliased-parameter} differs",
            decoder + "cls.predictions.decoder {aliased-parameter} differs"}},
        {{words + " {aliased-parameter}", words},
            {decoder + "cls.predictions {aliased-parameter} differs",
                decoder + "cls.predictions {aliased-parameter functional-use} differs"}}};
    const Facts calls{"attention/output/LayerNorm", "attention/output/dense", "attention/self/key",
        "attention/self/query", "attention/self/value", "intermediate/dense", "output/LayerNorm", "output/dense"};
    for (const std::string& call : calls) {
        std::string dotted = call;
        std::replace(dotted.begin(), dotted.end(), '/', '.');
        network.facts.push_back(layer + call + " <- " + stored + dotted + " {container-skipped}");
    }
    return network;
}

/// The head's weight is the embedding's.
Network gpt2()
{
    const std::string layer = "transformer/h.0/";
    const std::string stored = "transformer.h.0.";
    return {"gpt2",
        {"lm_head <- transformer.wte {aliased-parameter} differs",
            layer + "attn/c_attn <- " + stored + "attn.c_attn {container-skipped}",
            layer + "attn/c_proj <- " + stored + "attn.c_proj {container-skipped}",
            layer + "ln_1 <- " + stored + "ln_1 {container-skipped}",
            layer + "ln_2 <- " + stored + "ln_2 {container-skipped}",
            layer + "mlp/c_fc <- " + stored + "mlp.c_fc {container-skipped}",
            layer + "mlp/c_proj <- " + stored + "mlp.c_proj {container-skipped}",
            "transformer/ln_f <- transformer.ln_f", "transformer/wpe <- transformer.wpe",
            "transformer/wte <- transformer.wte {aliased-parameter}"},
        {}, {{"transformer/wte <- transformer.wte {aliased-parameter}", "transformer/wte <- transformer.wte"}}};
}

Facts changed(Facts facts, const std::vector<Change>& changes)
{
    for (const auto& [from, to] : changes)
        std::replace(facts.begin(), facts.end(), from, to);
    return facts;
}

class ExportedNetworks : public testing::TestWithParam<Network>
{
protected:
    [[nodiscard]] static Scopes scopesOf(const std::string& ending, const std::string& checkpointEnding = {})
    {
        OpenOptions options;
        if (!checkpointEnding.empty())
            options.checkpoint = file(checkpointEnding);
        const auto snapshot = openScopes(file(ending), options);
        EXPECT_TRUE(snapshot) << snapshot.error().line();
        return snapshot ? *snapshot->scopes : Scopes();
    }

private:
    static std::filesystem::path file(const std::string& ending)
    {
        return std::filesystem::path(DUO_TEST_DATA) / "exports" / (GetParam().name + ending);
    }
};

INSTANTIATE_TEST_SUITE_P(Whole, ExportedNetworks, testing::Values(levels(), twoLevels(), encoder(), bert(), gpt2()),
    [](const auto& network) { return network.param.name; });

TEST_P(ExportedNetworks, ProgramsOfBothLayoutsTellEverything)
{
    EXPECT_THAT(callFacts(scopesOf(".pt2")), testing::UnorderedElementsAreArray(GetParam().facts));
    EXPECT_THAT(callFacts(scopesOf(".flat.pt2")), testing::UnorderedElementsAreArray(GetParam().facts));
}

TEST_P(ExportedNetworks, OnnxTellsTheSameButWhatItCannotCarry)
{
    EXPECT_THAT(callFacts(scopesOf(".dynamo.onnx")),
        testing::UnorderedElementsAreArray(changed(GetParam().facts, GetParam().inDynamo)));
    EXPECT_THAT(callFacts(scopesOf(".script.onnx")),
        testing::UnorderedElementsAreArray(changed(GetParam().facts, GetParam().inScript)));
}

TEST_P(ExportedNetworks, WithTheProgramAsCheckpointOnnxTellsAllOfIt)
{
    const Scopes program = scopesOf(".pt2");
    for (const char* exporter : {".dynamo.onnx", ".script.onnx"}) {
        const Scopes found = scopesOf(exporter, ".pt2");
        EXPECT_THAT(callFacts(found), testing::UnorderedElementsAreArray(GetParam().facts)) << exporter;
        EXPECT_EQ(storageFacts(found), storageFacts(program)) << exporter;
        EXPECT_EQ(found.keys, program.keys) << exporter;
    }
}

TEST_P(ExportedNetworks, BothLayoutsStoreTheSame)
{
    EXPECT_EQ(storageFacts(scopesOf(".pt2")), storageFacts(scopesOf(".flat.pt2")));
}

} // namespace
} // namespace duo::test
