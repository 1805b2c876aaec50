// SPDX-License-Identifier: Apache-2.0
#include "tests/core/formats/checkpoint_fixture.h"

namespace duo {
namespace {

namespace p = test::pickle;
using test::keyLines;
using test::moduleLines;
using testing::ElementsAre;

class TorchScript : public test::CheckpointFixture
{
protected:
    /// A TorchScript archive of an object tree and the source of its classes.
    [[nodiscard]] std::filesystem::path script(const std::string& tree, const std::string& source) const
    {
        return torchSave(tree, {{"a/constants.pkl", "\x80\x02)."}, {"a/code/__torch__.py", source}});
    }
};

// PyTorch makes a copy of a module for each path that leads to it; the parameters stay shared.
const std::vector<std::string> kModules = {"/ Net", "emb torch.nn.modules.sparse.Embedding", "blk Block",
    "blk.lin torch.nn.modules.linear.Linear", "alias Block", "alias.lin torch.nn.modules.linear.Linear",
    "seq torch.nn.modules.container.Sequential", "seq.0 torch.nn.modules.conv.Conv2d",
    "seq.1 torch.nn.modules.batchnorm.BatchNorm2d", "seq.2 torch.nn.modules.activation.ReLU",
    "head torch.nn.modules.linear.Linear", "aux torch.nn.modules.linear.Linear"};

TEST_F(TorchScript, ScriptedModuleGivesItsObjectTree)
{
    const auto checkpoint = readData("scripted.pt");
    EXPECT_EQ(checkpoint->format, "torchscript");
    EXPECT_TRUE(checkpoint->recordsTies);
    EXPECT_EQ(moduleLines(*checkpoint), kModules);
    EXPECT_THAT(keyLines(*checkpoint),
        ElementsAre("scale float32[] 1", "emb.weight float32[3,2] 2 3 4 5 6 7", "blk.pos float32[2] 28 29",
            "blk.tmp float32[2] 30 31", "blk.lin.weight float32[2,2] 8 9 10 11", "blk.lin.bias float32[2] 12 13",
            "alias.pos = blk.pos", "alias.tmp = blk.tmp", "alias.lin.weight = blk.lin.weight",
            "alias.lin.bias = blk.lin.bias", "seq.0.weight float32[2,1,1,1] 14 15", "seq.0.bias float32[2] 16 17",
            "seq.1.weight float32[2] 18 19", "seq.1.bias float32[2] 20 21", "seq.1.running_mean float32[2] 32 33",
            "seq.1.running_var float32[2] 34 35", "seq.1.num_batches_tracked int64[] 36", "head.weight = emb.weight",
            "aux.weight float32[2,2] 22 23 24 25", "aux.bias float32[2] 26 27"));
}

TEST_F(TorchScript, TracedModuleLosesManglingOfItsClasses)
{
    EXPECT_EQ(moduleLines(*readData("traced.pt")), kModules);
}

TEST_F(TorchScript, ReadsFilesOfOlderVersions)
{
    EXPECT_THAT(moduleLines(*readData("sib_traced.pt")),
        ElementsAre("/ export_cases.Sibling", "enc export_cases.Enc", "enc.proj torch.nn.modules.linear.Linear",
            "enc.norm torch.nn.modules.normalization.LayerNorm", "dec export_cases.Dec",
            "dec.own torch.nn.modules.linear.Linear"));
}

TEST_F(TorchScript, AnObjectReachedAgainIsTheSameModule)
{
    const std::string leaf = p::object("__torch__.m", "Leaf", p::dict({{"w", p::tensor({})}})) + p::remember(200);
    const auto checkpoint = readCheckpoint(
        script(p::object("__torch__", "Net", p::dict({{"first", leaf}, {"second", p::recall(200)}})), ""));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_THAT(moduleLines(**checkpoint), ElementsAre("/ Net", "first m.Leaf", "second m.Leaf = first"));
    EXPECT_THAT(keyLines(**checkpoint), ElementsAre("first.w float32[4] 0 0 0 0", "second.w = first.w"));
}

TEST_F(TorchScript, SourceTellsParametersFromOtherTensorsAndModulesFromOtherObjects)
{
    const std::string source = "class Net(Module):\n"
                               "  __parameters__ = [\"w\", \"gone\", ]\n"
                               "  __buffers__ = [\"b\", ]\n"
                               "class Pair(NamedTuple):\n"
                               "  x : Tensor\n";
    const std::string pair = p::object("__torch__", "Pair", p::dict({{"x", p::tensor({})}}));
    const std::string packed = p::object("__torch__.torch.classes.q", "Packed", p::dict({}));
    const auto checkpoint = readCheckpoint(
        script(p::object("__torch__", "Net",
                   p::dict({{"cache", p::tensor({})}, {"b", p::tensor({.dims = {2}})}, {"w", p::tensor({.dims = {3}})},
                       {"gone", "N"}, {"pair", pair}, {"packed", packed}})),
            source));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_THAT(keyLines(**checkpoint), ElementsAre("w float32[3] 0 0 0", "b float32[2] 0 0"));
    EXPECT_THAT(moduleLines(**checkpoint), ElementsAre("/ Net"));
}

} // namespace
} // namespace duo
