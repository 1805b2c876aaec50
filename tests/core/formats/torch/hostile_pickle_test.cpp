// SPDX-License-Identifier: Apache-2.0
// torch.save and TorchScript files that are wrong, damaged, or made to hurt.
#include "tests/core/formats/checkpoint_fixture.h"
#include "tests/support/file_bytes.h"

#include <limits>

namespace duo {
namespace {

namespace p = test::pickle;
using test::keyLines;
using testing::ElementsAre;

class HostilePickle : public test::CheckpointFixture
{
protected:
    [[nodiscard]] std::string pickleError(const std::string& value, const Members& more = {}) const
    {
        return readError(torchSave(value, more));
    }
    [[nodiscard]] std::string tensorError(const p::TensorText& tensor) const
    {
        return pickleError(p::dict({{"w", p::tensor(tensor)}}));
    }
    /// A module object of torch.save.
    [[nodiscard]] static std::string module(const std::vector<std::pair<std::string, std::string>>& children)
    {
        return p::object("m", "Net",
            p::dict({{"_parameters", p::dict({{"w", p::tensor({})}})}, {"_buffers", p::dict({})},
                {"_modules", p::dict(children)}}));
    }
};

TEST_F(HostilePickle, NothingIsCalled)
{
    const std::string command = p::call("os", "system", {p::text("touch " + (m_folder / "called").string())});
    const auto checkpoint = readCheckpoint(
        torchSave(p::dict({{"evil", command}, {"w", p::tensor({})}, {"builtins", p::global("builtins", "eval")}})));
    ASSERT_TRUE(checkpoint) << checkpoint.error().line();
    EXPECT_THAT(keyLines(**checkpoint), ElementsAre("w float32[4] 0 0 0 0"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "called"));
}

TEST_F(HostilePickle, RefusesWhatIsNoCheckpoint)
{
    const std::string advice = "give a file of one of these formats: .safetensors, torch.save, .pt2, TorchScript";
    EXPECT_EQ(readError(m_folder / "absent.pth"), "cannot read file: DIR/absent.pth: No such file or directory");
    EXPECT_EQ(readError(m_folder.write("empty.pth", "")), "not a checkpoint: DIR/empty.pth: " + advice);
    EXPECT_EQ(readError(m_folder.write("text.pth", "hello, world")), "not a checkpoint: DIR/text.pth: " + advice);
    test::writeZip(m_folder / "other.zip", {{"readme.txt", "x"}});
    EXPECT_EQ(readError(m_folder / "other.zip"), "not a checkpoint: DIR/other.zip: " + advice);
}

TEST_F(HostilePickle, RefusesTheOldFormatWithAWayOut)
{
    EXPECT_EQ(readError(dataFile("legacy.pth")),
        "checkpoint was written by PyTorch before 1.6, or in its old format: " + dataFile("legacy.pth").string()
            + ": load it with torch.load and save it again with torch.save");
}

TEST_F(HostilePickle, RefusesBigEndianStorages)
{
    EXPECT_EQ(pickleError(p::dict({{"w", p::tensor({})}}), {{"a/byteorder", "big"}}),
        "checkpoint is not little-endian: DIR/a.pth: save it again on a little-endian machine");
}

TEST_F(HostilePickle, RefusesACutArchive)
{
    const std::string content = test::bytesOf(dataFile("state_dict.pth"));
    EXPECT_EQ(readError(m_folder.write("cut.pth", content.substr(0, content.size() / 2))),
        "archive cannot be read: DIR/cut.pth: Not a zip archive: it is damaged or cut off; copy it again");
}

TEST_F(HostilePickle, RefusesFilesWithoutAStateDict)
{
    const std::string message = "checkpoint holds no state dict: DIR/a.pth: save model.state_dict() with torch.save";
    EXPECT_EQ(pickleError("N"), message);
    EXPECT_EQ(pickleError(p::tensor({})), message);
    EXPECT_EQ(pickleError(p::dict({{"epoch", "K\x01"}})), message);
}

TEST_F(HostilePickle, RefusesAViewBeyondItsStorage)
{
    const std::string message
        = "tensor reaches beyond its storage: DIR/a.pth: 'w': the storage has 16 bytes; the file is damaged";
    constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(tensorError({.offset = 1}), message);
    EXPECT_EQ(tensorError({.dims = {5}}), message);
    EXPECT_EQ(tensorError({.dims = {2}, .strides = {4}}), message);
    EXPECT_EQ(tensorError({.offset = kHuge}), message);
    EXPECT_EQ(tensorError({.dims = {2}, .strides = {kHuge}}), message);
    EXPECT_EQ(tensorError({.dims = {1LL << 30, 1LL << 20}, .strides = {1LL << 40, 1LL << 40}}), message);
}

TEST_F(HostilePickle, RefusesImpossibleShapes)
{
    const std::string message = "tensor has an impossible shape: DIR/a.pth: 'w': save it again";
    EXPECT_EQ(tensorError({.offset = -1}), message);
    EXPECT_EQ(tensorError({.dims = {-4}}), message);
    EXPECT_EQ(tensorError({.dims = {4}, .strides = {-1}}), message);
    EXPECT_EQ(tensorError({.dims = {2, 2}, .strides = {1}}), message);
    EXPECT_EQ(tensorError({.dims = {1LL << 40, 1LL << 40}, .strides = {1, 1}}), message);
}

TEST_F(HostilePickle, RefusesStoragesThatAreShortOrMissing)
{
    EXPECT_EQ(tensorError({.storageElements = 5}),
        "storage is shorter than it says: DIR/a.pth: 'w': 16 bytes of 20; the file is damaged");
    EXPECT_EQ(tensorError({.storage = "7"}), "checkpoint lacks a storage: DIR/a.pth: 'w': the archive has no 'data/7'");
    EXPECT_EQ(tensorError({.storage = "../../etc/passwd"}),
        "checkpoint lacks a storage: DIR/a.pth: 'w': the archive has no 'data/../../etc/passwd'");
}

TEST_F(HostilePickle, RefusesDamagedDescriptions)
{
    const std::string message = "tensor has a damaged description: DIR/a.pth: 'w': save it again";
    const auto madeOf = [](const std::vector<std::string>& arguments) {
        return p::dict({{"w", p::call("torch._utils", "_rebuild_tensor_v2", arguments)}});
    };
    EXPECT_EQ(pickleError(madeOf({})), message);
    EXPECT_EQ(pickleError(madeOf({"N", "N", "N", "N"})), message);
    EXPECT_EQ(pickleError(madeOf({p::tuple({p::text("storage")}) + "Q", "K\x01", ")", ")"})), message);
    const std::string hundred = p::tuple(std::vector<std::string>(100, "K\x01"));
    EXPECT_EQ(tensorError({.dims = std::vector<std::int64_t>(100, 1), .strides = std::vector<std::int64_t>(100, 1)}),
        message);
}

TEST_F(HostilePickle, RefusesAParameterInsideItself)
{
    const std::string self = p::global("torch._utils", "_rebuild_parameter") + "]q\x01" + "\x85R";
    EXPECT_EQ(pickleError(p::dict({{"w", self}})), "tensor has a damaged description: DIR/a.pth: 'w': save it again");
    std::string wrapped = p::tensor({});
    for (int i = 0; i < 100; ++i)
        wrapped = p::call("torch._utils", "_rebuild_parameter", {wrapped});
    EXPECT_EQ(
        pickleError(p::dict({{"w", wrapped}})), "tensor has a damaged description: DIR/a.pth: 'w': save it again");
}

TEST_F(HostilePickle, RefusesRepeatedKeys)
{
    EXPECT_EQ(pickleError(p::dict({{"w", p::tensor({})}, {"w", p::tensor({.dims = {2}})}})),
        "checkpoint holds a key twice: DIR/a.pth: 'w': save it again");
}

TEST_F(HostilePickle, ADictInsideItselfIsLookedAtOnce)
{
    std::string loop = "}q\x01(";
    for (const char* name : {"state_dict", "model", "module", "net", "weights", "params", "ema"})
        loop += p::text(name) + "h\x01";
    EXPECT_EQ(
        pickleError(loop + "u"), "checkpoint holds no state dict: DIR/a.pth: save model.state_dict() with torch.save");
}

TEST_F(HostilePickle, RefusesAModuleInsideItself)
{
    const std::string self = p::global("m", "Net") + ")\x81q\x08" + "}(" + p::text("_parameters")
        + p::dict({{"w", p::tensor({})}}) + p::text("_modules") + "}(" + p::text("child") + "h\x08uub";
    EXPECT_EQ(pickleError(self), "modules are nested too deeply: DIR/a.pth: at most 256 are read");
}

TEST_F(HostilePickle, RefusesMorePathsThanAnyNetworkHas)
{
    const std::string longName(1000, 'a');
    std::string tree = module({});
    for (std::uint8_t level = 100; level < 130; ++level) // two paths to each level: 2^30 modules
        tree = module({{longName, tree + p::remember(level)}, {"b", p::recall(level)}});
    EXPECT_EQ(pickleError(tree),
        "checkpoint is too large: DIR/a.pth: at most a million keys and modules with 256 MB of names are read");
}

TEST_F(HostilePickle, RefusesDamagedPickles)
{
    EXPECT_EQ(pickleError("cos\nsystem"),
        "pickle cannot be read: DIR/a.pth: 'a/data.pkl' byte 2: it ends in the middle of a value");
    EXPECT_EQ(pickleError(p::recall(9)),
        "pickle cannot be read: DIR/a.pth: 'a/data.pkl' byte 2: it recalls what it has not remembered");
}

TEST_F(HostilePickle, StopsWhenAsked)
{
    std::stop_source stop;
    stop.request_stop();
    const auto checkpoint = readCheckpoint(dataFile("state_dict.pth"), JobContext{stop.get_token(), {}});
    ASSERT_FALSE(checkpoint);
    EXPECT_EQ(checkpoint.error(), cancelledError());
}

} // namespace
} // namespace duo
