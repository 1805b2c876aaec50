// SPDX-License-Identifier: Apache-2.0
#include "tests/core/formats/checkpoint_fixture.h"
#include "tests/support/file_bytes.h"

namespace duo {
namespace {

namespace p = test::pickle;
using test::keyLines;
using test::moduleLines;
using test::noteLines;
using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kNetKeys = {"scale float32[] 1", "emb.weight float32[3,2] 2 3 4 5 6 7",
    "blk.pos float32[2] 28 29", "blk.lin.weight float32[2,2] 8 9 10 11", "blk.lin.bias float32[2] 12 13",
    "alias.pos = blk.pos", "alias.lin.weight = blk.lin.weight", "alias.lin.bias = blk.lin.bias",
    "seq.0.weight float32[2,1,1,1] 14 15", "seq.0.bias float32[2] 16 17", "seq.1.weight float32[2] 18 19",
    "seq.1.bias float32[2] 20 21", "seq.1.running_mean float32[2] 32 33", "seq.1.running_var float32[2] 34 35",
    "seq.1.num_batches_tracked int64[] 36", "head.weight = emb.weight", "aux.weight float32[2,2] 22 23 24 25",
    "aux.bias float32[2] 26 27"};

class TorchSave : public test::CheckpointFixture
{
};

TEST_F(TorchSave, StateDictKeepsOrderAndTies)
{
    const auto checkpoint = readData("state_dict.pth");
    EXPECT_EQ(checkpoint->format, "torch-save");
    EXPECT_TRUE(checkpoint->recordsTies);
    EXPECT_EQ(keyLines(*checkpoint), kNetKeys);
    EXPECT_THAT(noteLines(*checkpoint), IsEmpty());
}

TEST_F(TorchSave, StateDictListsModulesWithoutParametersToo)
{
    EXPECT_THAT(moduleLines(*readData("state_dict.pth")),
        ElementsAre(
            "/", "emb", "blk", "blk.lin", "alias", "alias.lin", "seq", "seq.0", "seq.1", "seq.2", "head", "aux"));
}

TEST_F(TorchSave, NewerPicklesReadTheSame)
{
    EXPECT_EQ(keyLines(*readData("state_dict_protocol5.pth")), kNetKeys);
}

TEST_F(TorchSave, TrainingCheckpointGivesItsStateDict)
{
    const auto checkpoint = readData("training.pth");
    EXPECT_EQ(keyLines(*checkpoint), kNetKeys);
    EXPECT_THAT(noteLines(*checkpoint),
        ElementsAre(
            "chosen-entry: " + dataFile("training.pth").string() + ": the keys are those of entry 'state_dict'"));
}

TEST_F(TorchSave, WholeModuleGivesClassesAndIdentity)
{
    const auto checkpoint = readData("whole_module.pth");
    EXPECT_EQ(keyLines(*checkpoint), kNetKeys);
    EXPECT_THAT(moduleLines(*checkpoint),
        ElementsAre("/ __main__.Net", "emb torch.nn.modules.sparse.Embedding", "blk __main__.Block",
            "blk.lin torch.nn.modules.linear.Linear", "alias __main__.Block = blk",
            "alias.lin torch.nn.modules.linear.Linear = blk.lin", "seq torch.nn.modules.container.Sequential",
            "seq.0 torch.nn.modules.conv.Conv2d", "seq.1 torch.nn.modules.batchnorm.BatchNorm2d",
            "seq.2 torch.nn.modules.activation.ReLU", "head torch.nn.modules.linear.Linear",
            "aux torch.nn.modules.linear.Linear"));
}

TEST_F(TorchSave, ReadsFilesOfOlderVersions)
{
    EXPECT_THAT(keyLines(*readData("alias_sd.pth")),
        ElementsAre(testing::StartsWith("fc.weight float32[4,4] 0.4515"), testing::StartsWith("fc.bias float32[4] "),
            "alias.weight = fc.weight", "alias.bias = fc.bias"));
}

TEST_F(TorchSave, ReadsEveryKindOfViewAndType)
{
    const auto checkpoint = readData("tensor_kinds.pth");
    EXPECT_THAT(keyLines(*checkpoint),
        ElementsAre("transposed float32[3,2] 0 3 1 4 2 5", "stepped int64[3] 2 5 8", "slice float32[3] 4 5 6",
            "expanded float32[3] 1 1 1", "scalar float32[] 3", "empty float32[0,3]", "bfloat16 bfloat16[2] 1.5 -2",
            "float8 float8e4m3fn[2]", "uint16 uint16[2] 1 65535", "bool bool[2] 1 0", "complex complex64[1]",
            "parameter float32[1] 7"));
}

TEST_F(TorchSave, SaysWhichTensorsItLeavesOut)
{
    EXPECT_THAT(noteLines(*readData("tensor_kinds.pth")),
        ElementsAre("left-out-key: huge: the tensor is not read: it repeats its storage too often to be written out",
            "left-out-key: quantized: the tensor is not read: it is quantized by PyTorch",
            "left-out-key: sparse: the tensor is not read: it is sparse",
            "left-out-key: conjugated: the tensor is not read: it is a conjugated or negated view",
            "left-out-key: meta: the tensor is not read: it has no elements (meta)"));
}

TEST_F(TorchSave, TensorsAreViewsOfTheFile)
{
    const auto checkpoint = readData("state_dict.pth");
    const std::string content = test::bytesOf(dataFile("state_dict.pth"));
    const auto& scale = checkpoint->tensors[0].data;
    const auto& last = checkpoint->tensors.back().data;
    EXPECT_EQ(scale.owner, last.owner); // the mapping
    EXPECT_LT(static_cast<std::size_t>(std::abs(last.bytes.data() - scale.bytes.data())), content.size());
}

TEST_F(TorchSave, PackedArchivesAreUnpacked)
{
    const std::string state = p::dict({{"w", p::tensor({})}});
    const auto checkpoint = readCheckpoint(torchSave(state, {}, test::Packing::Deflated));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_THAT(keyLines(**checkpoint), ElementsAre("w float32[4] 0 0 0 0"));
}

TEST_F(TorchSave, ViewsThatDifferOnlyWhereItMeansNothingAreOneTensor)
{
    const auto checkpoint = readCheckpoint(torchSave(p::dict({{"a", p::tensor({.dims = {1, 4}, .strides = {4, 1}})},
        {"b", p::tensor({.dims = {1, 4}, .strides = {7, 1}})}, {"c", p::tensor({.dims = {4}, .strides = {1}})}})));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_THAT(keyLines(**checkpoint), ElementsAre("a float32[1,4] 0 0 0 0", "b = a", "c float32[4] 0 0 0 0"));
}

TEST_F(TorchSave, WithoutAUsualNameTheLargestDictCounts)
{
    const std::string small = p::dict({{"x", p::tensor({})}});
    const std::string large = p::dict({{"y", p::tensor({})}, {"z", p::tensor({.offset = 1, .dims = {3}})}});
    const auto checkpoint = readCheckpoint(torchSave(p::dict({{"left", small}, {"right", large}})));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_THAT(keyLines(**checkpoint), ElementsAre("y float32[4] 0 0 0 0", "z float32[3] 0 0 0"));
    EXPECT_EQ((*checkpoint)->notes[0].text, "the keys are those of entry 'right'");
}

} // namespace
} // namespace duo
