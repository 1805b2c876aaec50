// SPDX-License-Identifier: Apache-2.0
#include "tests/core/formats/checkpoint_fixture.h"

namespace duo {
namespace {

using test::keyLines;
using test::noteLines;
using testing::ElementsAre;
using testing::IsEmpty;

class Safetensors : public test::CheckpointFixture
{
protected:
    [[nodiscard]] static std::string lengthText(std::uint64_t length)
    {
        std::string text;
        for (unsigned i = 0; i < 8; ++i)
            text += static_cast<char>((length >> (8U * i)) & 0xFFU);
        return text;
    }
    /// A file with this header and so many zero bytes of data.
    [[nodiscard]] std::filesystem::path file(const std::string& header, std::size_t dataBytes = 0) const
    {
        return m_folder.write("a.safetensors", lengthText(header.size()) + header + std::string(dataBytes, '\0'));
    }
    [[nodiscard]] std::string headerError(const std::string& header, std::size_t dataBytes = 0) const
    {
        return readError(file(header, dataBytes));
    }
    [[nodiscard]] std::string indexError(const std::string& json) const
    {
        return readError(m_folder.write("m.safetensors.index.json", json));
    }
};

const std::vector<std::string> kPlainKeys = {"seq.1.num_batches_tracked int64[] 36", "aux.bias float32[2] 26 27",
    "aux.weight float32[2,2] 22 23 24 25", "blk.lin.bias float32[2] 12 13", "blk.lin.weight float32[2,2] 8 9 10 11",
    "blk.pos float32[2] 28 29", "emb.weight float32[3,2] 2 3 4 5 6 7", "scale float32[] 1",
    "seq.0.bias float32[2] 16 17", "seq.0.weight float32[2,1,1,1] 14 15", "seq.1.bias float32[2] 20 21",
    "seq.1.running_mean float32[2] 32 33", "seq.1.running_var float32[2] 34 35", "seq.1.weight float32[2] 18 19"};

TEST_F(Safetensors, GivesTensorsInHeaderOrder)
{
    const auto checkpoint = readData("plain.safetensors");
    EXPECT_EQ(checkpoint->format, "safetensors");
    EXPECT_FALSE(checkpoint->recordsTies);
    EXPECT_EQ(keyLines(*checkpoint), kPlainKeys);
    EXPECT_THAT(checkpoint->modules, IsEmpty());
}

TEST_F(Safetensors, TensorsAreViewsOfTheFile)
{
    const auto checkpoint = readData("plain.safetensors");
    EXPECT_EQ(checkpoint->tensors[0].data.owner, checkpoint->tensors[5].data.owner);
    EXPECT_EQ(checkpoint->tensors[1].data.bytes.data(),
        checkpoint->tensors[0].data.bytes.data() + checkpoint->tensors[0].data.bytes.size());
}

TEST_F(Safetensors, NamesThatSaveModelDroppedAreKeysToo)
{
    const auto lines = keyLines(*readData("model.safetensors"));
    EXPECT_THAT(lines, testing::Contains("head.weight = emb.weight"));
    EXPECT_THAT(lines, testing::Contains("blk.lin.weight = alias.lin.weight"));
    EXPECT_EQ(lines.size(), 18U);
}

TEST_F(Safetensors, ShardsAreOneCheckpointInTheOrderOfTheIndex)
{
    const auto checkpoint = readData("sharded.safetensors.index.json");
    EXPECT_EQ(checkpoint->format, "safetensors");
    auto lines = keyLines(*checkpoint);
    EXPECT_EQ(lines.front(), "scale float32[] 1");
    EXPECT_EQ(lines.back(), "aux.bias float32[2] 26 27");
    std::ranges::sort(lines);
    auto expected = kPlainKeys;
    std::ranges::sort(expected);
    EXPECT_EQ(lines, expected);
}

TEST_F(Safetensors, AnIndexMayNameFilesOfTorchSave)
{
    namespace p = test::pickle;
    std::filesystem::rename(torchSave(p::dict({{"a", p::tensor({})}, {"b", p::tensor({})}})), m_folder / "1.bin");
    std::filesystem::rename(torchSave(p::dict({{"c", p::tensor({.dims = {2}})}})), m_folder / "2.bin");
    const auto checkpoint
        = readCheckpoint(m_folder.write("m.bin.index.json", R"({"weight_map":{"c":"2.bin","b":"1.bin","a":"1.bin"}})"));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_EQ((*checkpoint)->format, "torch-save");
    EXPECT_TRUE((*checkpoint)->recordsTies);
    EXPECT_THAT(keyLines(**checkpoint), ElementsAre("c float32[2] 0 0", "b float32[4] 0 0 0 0", "a = b"));
}

TEST_F(Safetensors, AHeaderWhoseLengthLooksLikeABraceIsNoIndex)
{
    const std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
    const auto checkpoint = readCheckpoint(file(header + std::string('{' - header.size(), ' '), 1));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_THAT(keyLines(**checkpoint), ElementsAre("a uint8[1] 0"));
}

TEST_F(Safetensors, AnEmptyTensorAndAScalarAreRead)
{
    const auto checkpoint = readCheckpoint(file(
        R"({"e":{"dtype":"F32","shape":[0,3],"data_offsets":[0,0]},"s":{"dtype":"I8","shape":[],"data_offsets":[0,1]}}  )",
        1));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_THAT(keyLines(**checkpoint), ElementsAre("e float32[0,3]", "s int8[] 0"));
}

TEST_F(Safetensors, LeavesOutElementTypesItDoesNotKnow)
{
    const auto checkpoint = readCheckpoint(file(
        R"({"a":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}})",
        4));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_THAT(keyLines(**checkpoint), ElementsAre("b uint8[1] 0"));
    EXPECT_THAT(
        noteLines(**checkpoint), ElementsAre("left-out-key: a: the tensor is not read: its elements are F6_E2M3"));
}

TEST_F(Safetensors, RefusesAHeaderThatCannotBeTrue)
{
    EXPECT_EQ(readError(m_folder.write("a.safetensors", lengthText(200'000'000) + "{}")),
        "safetensors header is too long: DIR/a.safetensors: 200000000 bytes; at most 100 MB are read");
    EXPECT_EQ(readError(m_folder.write("a.safetensors", lengthText(UINT64_MAX) + "{}")),
        "safetensors header is too long: DIR/a.safetensors: 18446744073709551615 bytes; at most 100 MB are read");
    EXPECT_EQ(readError(m_folder.write("a.safetensors", lengthText(3) + "{}")),
        "safetensors file is damaged: DIR/a.safetensors: its header ends beyond the file");
    EXPECT_EQ(headerError("{}"), "checkpoint holds no parameters: DIR/a.safetensors: save model.state_dict()");
}

TEST_F(Safetensors, RefusesDamagedHeaders)
{
    const std::string start = "safetensors header is damaged: DIR/a.safetensors: ";
    EXPECT_EQ(headerError(R"({"a":)"), start + "'a': no valid JSON at byte 6");
    EXPECT_EQ(headerError(R"({"a":1})"), start + "'a': it holds an impossible number");
    EXPECT_EQ(headerError(R"({"a":{}})"), start + "'a': it lacks its dtype, shape or data_offsets");
    EXPECT_EQ(headerError(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4),
        start + "'a': it holds an impossible number");
    EXPECT_EQ(headerError(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}})", 4),
        start + "'a': it holds an impossible number");
    EXPECT_EQ(headerError(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4),
        start + "'a': its data_offsets are no range");
    EXPECT_EQ(headerError(R"({"a":{"dtype":"F32","shape":[[1]],"data_offsets":[0,4]}})", 4),
        start + "'a': it holds a list where none belongs");
    EXPECT_EQ(headerError(R"({"a":{"dtype":{},"shape":[1],"data_offsets":[0,4]}})", 4),
        start + "'a': it holds an object where none belongs");
    EXPECT_EQ(headerError(R"({"a":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4),
        start + "'a': it has a part twice");
}

TEST_F(Safetensors, RefusesRepeatedKeys)
{
    EXPECT_EQ(
        headerError(
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
            2),
        "safetensors header is damaged: DIR/a.safetensors: 'a': it is there twice");
}

TEST_F(Safetensors, RefusesATowerOfBrackets)
{
    EXPECT_EQ(headerError(R"({"a":)" + std::string(1'000'000, '[')),
        "safetensors header is damaged: DIR/a.safetensors: 'a': it holds a list where none belongs");
}

TEST_F(Safetensors, RefusesRangesThatOverlapOrLeaveHoles)
{
    const std::string start = "safetensors file is damaged: DIR/a.safetensors: ";
    const auto two = [](const std::string& first, const std::string& second) {
        return R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + first
            + R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + second + "}}";
    };
    EXPECT_EQ(headerError(two("[0,2]", "[1,3]"), 3), start + "'b': its data overlap others");
    EXPECT_EQ(headerError(two("[0,2]", "[3,5]"), 5), start + "'b': there is a hole before its data");
    EXPECT_EQ(headerError(two("[0,2]", "[2,4]"), 3), start + "'b': its data end beyond the file");
    EXPECT_EQ(headerError(two("[2,4]", "[0,2]"), 7), start + "3 bytes at the end belong to nothing");
    EXPECT_EQ(headerError(two("[0,9223372036854775807]", "[0,2]"), 4), start + "'a': its data end beyond the file");
}

TEST_F(Safetensors, RefusesShapesThatDoNotFitTheirData)
{
    const std::string message = "safetensors file is damaged: DIR/a.safetensors: 'a': its shape does not fit its data";
    EXPECT_EQ(headerError(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4), message);
    EXPECT_EQ(headerError(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})", 4), message);
}

TEST_F(Safetensors, RefusesShardsThatAreNoSiblings)
{
    const std::string start = "checkpoint index is damaged: DIR/m.safetensors.index.json: 'w': ";
    for (const char* name : {"../secret", "/etc/passwd", "sub/part", "..", ".", "", "a\\\\b"}) {
        std::string shown = name;
        if (const auto at = shown.find("\\\\"); at != std::string::npos)
            shown.erase(at, 1);
        EXPECT_EQ(indexError(R"({"weight_map":{"w":")" + std::string(name) + "\"}}"),
            start + "'" + shown + "' is no file beside it");
    }
}

TEST_F(Safetensors, NamesAMissingShard)
{
    EXPECT_EQ(indexError(R"({"weight_map":{"w":"part-1.safetensors"}})"),
        "cannot read file: DIR/part-1.safetensors: No such file or directory");
}

TEST_F(Safetensors, RefusesAShardWithoutItsKey)
{
    static_cast<void>(file(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1));
    EXPECT_EQ(indexError(R"({"weight_map":{"a":"a.safetensors","b":"a.safetensors"}})"),
        "checkpoint index is damaged: DIR/m.safetensors.index.json: 'b': 'a.safetensors' does not hold it");
}

TEST_F(Safetensors, RefusesDamagedIndices)
{
    const std::string where = "DIR/m.safetensors.index.json";
    EXPECT_EQ(indexError("{}"), "checkpoint index is damaged: " + where + ": it has no weight_map");
    EXPECT_EQ(indexError(R"({"weight_map":[]})"), "checkpoint index is damaged: " + where + ": it has no weight_map");
    EXPECT_EQ(indexError(R"({"weight_map":{"w":1}})"),
        "checkpoint index is damaged: " + where + ": 'w': its file is no text");
    EXPECT_EQ(indexError("{\"weight_map\":"),
        "not valid JSON, unexpected end of input: " + where + " line 1: correct the text there");
    EXPECT_EQ(
        indexError(R"({"weight_map":{}})"), "checkpoint holds no parameters: " + where + ": save model.state_dict()");
}

TEST_F(Safetensors, AnIndexIsNoShard)
{
    EXPECT_EQ(indexError(R"({"weight_map":{"w":"m.safetensors.index.json"}})"),
        "not a checkpoint: DIR/m.safetensors.index.json: give a file of one of these formats: .safetensors, "
        "torch.save, "
        ".pt2, TorchScript");
}

} // namespace
} // namespace duo
