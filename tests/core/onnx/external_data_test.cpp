// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"

#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include <sys/stat.h>

namespace duo {
namespace {

namespace fs = std::filesystem;
using test::ProtoBuilder;

constexpr std::string_view kTwoFloats("\0\0\x80\x3F\0\0\0\x40", 8); // 1, 2

class ExternalData : public testing::Test
{
protected:
    /// A model in `name` whose only tensor lies at `location`.
    [[nodiscard]] fs::path model(const std::string& name, const std::string& location, const std::string& offset = {},
        const std::string& length = {}) const
    {
        ProtoBuilder file;
        file.external("w", {2}, location, offset, length);
        return m_folder.write(name, file.text());
    }

    [[nodiscard]] std::string errorOf(const fs::path& path, const ReadOptions& options = {}) const
    {
        const auto read = readModel(path, options);
        return read ? "none" : m_folder.withoutPath(read.error().line());
    }

    test::TemporaryFolder m_folder;
};

std::vector<float> onlyTensor(const Result<std::shared_ptr<const Model>>& model)
{
    if (!model) {
        ADD_FAILURE() << model.error().line();
        return {};
    }
    return toFloats((*model)->tensor((*model)->initializers.at(0)));
}

TEST_F(ExternalData, IsReadFromTheModelsFolder)
{
    m_folder.write("w.bin", std::string("pad!") + std::string(kTwoFloats));
    m_folder.write("deep/er/w.bin", kTwoFloats);
    const auto read = readModel(model("m.onnx", "w.bin", "4", "8"));
    EXPECT_EQ(onlyTensor(read), (std::vector<float>{1, 2}));
    EXPECT_EQ((*read)->tensor((*read)->initializers[0]).place, TensorPlace::External);
    EXPECT_EQ((*read)->fileBytes, static_cast<std::int64_t>(fs::file_size(m_folder / "m.onnx")) + 12);
    EXPECT_EQ(onlyTensor(readModel(model("m.onnx", "deep/er/w.bin"))), (std::vector<float>{1, 2}));
    EXPECT_EQ(onlyTensor(readModel(model("m.onnx", "w.bin", "4"))), (std::vector<float>{1, 2}));
}

TEST_F(ExternalData, ALinkedModelMayUseTheFolderOfItsTarget)
{
    m_folder.write("blobs/w.bin", kTwoFloats);
    const fs::path target = model("blobs/m.onnx", "w.bin");
    fs::create_directories(m_folder / "snapshot");
    fs::create_symlink(target, m_folder / "snapshot/m.onnx");
    EXPECT_EQ(onlyTensor(readModel(m_folder / "snapshot/m.onnx")), (std::vector<float>{1, 2}));
    fs::create_symlink("../blobs/w.bin", m_folder / "snapshot/w.bin");
    EXPECT_EQ(onlyTensor(readModel(m_folder / "snapshot/m.onnx")), (std::vector<float>{1, 2}));
}

TEST_F(ExternalData, ALinkOutOfTheFolderIsRefused)
{
    m_folder.write("elsewhere/w.bin", kTwoFloats);
    const fs::path path = model("models/m.onnx", "w.bin");
    fs::create_symlink("../elsewhere/w.bin", m_folder / "models/w.bin");
    EXPECT_EQ(errorOf(path),
        "external data of tensor 'w' lies outside the model's folder: w.bin: if you trust the model, allow the folder "
        "of "
        "that file with --allow-external");
    EXPECT_EQ(onlyTensor(readModel(path, {m_folder / "elsewhere"})), (std::vector<float>{1, 2}));
}

/// Whoever may make a hard link to a file may read it: what lies below the folder belongs to the model.
TEST_F(ExternalData, AHardLinkIsAFileOfTheFolder)
{
    const fs::path other = m_folder.write("elsewhere/w.bin", kTwoFloats);
    const fs::path path = model("models/m.onnx", "w.bin");
    fs::create_hard_link(other, m_folder / "models/w.bin");
    EXPECT_EQ(onlyTensor(readModel(path)), (std::vector<float>{1, 2}));
}

TEST_F(ExternalData, PipesAndDevicesAreRefusedWithoutWaitingForThem)
{
    const fs::path path = model("models/m.onnx", "w.bin");
    ASSERT_EQ(::mkfifo((m_folder / "models/w.bin").c_str(), 0600), 0);
    EXPECT_EQ(
        errorOf(path), "external data of tensor 'w': not a regular file: DIR/models/w.bin: put the data file there");
    fs::remove(m_folder / "models/w.bin");
    fs::create_symlink("/dev/zero", m_folder / "models/w.bin");
    EXPECT_THAT(errorOf(path), testing::StartsWith("external data of tensor 'w' lies outside the model's folder"));
    EXPECT_NE(errorOf(path, {"/dev"}), "none");
}

TEST_F(ExternalData, FilesMayHaveNamesThatAreNoUtf8OrLookLikeOptions)
{
    for (const std::string name : {"caf\xE9.bin", "-rf.bin", "two words 'and quotes\".bin"}) {
        m_folder.write(name, kTwoFloats);
        EXPECT_EQ(onlyTensor(readModel(model("m.onnx", name))), (std::vector<float>{1, 2})) << name;
    }
}

TEST_F(ExternalData, LeavingTheFolderNeedsLeave)
{
    const fs::path data = m_folder.write("elsewhere/w.bin", kTwoFloats);
    for (const std::string& location : {std::string("../elsewhere/w.bin"), data.string()}) {
        const fs::path path = model("models/m.onnx", location);
        EXPECT_EQ(errorOf(path),
            "external data of tensor 'w' lies outside the model's folder: " + m_folder.withoutPath(location)
                + ": if you trust the model, allow the folder of that file with --allow-external");
        const auto refused = readModel(path);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().remedy, Remedy::AllowFolder);
        EXPECT_EQ(onlyTensor(readModel(path, {m_folder / "elsewhere"})), (std::vector<float>{1, 2}));
        EXPECT_NE(errorOf(path, {m_folder / "models"}), "none");
    }
}

TEST_F(ExternalData, EachWrongReferenceIsOneClearLine)
{
    m_folder.write("w.bin", kTwoFloats);
    fs::create_directories(m_folder / "folder");
    EXPECT_EQ(errorOf(model("m.onnx", "gone.bin")),
        "external data of tensor 'w' is missing: DIR/gone.bin: put this file beside the model");
    EXPECT_EQ(errorOf(model("m.onnx", "folder")),
        "external data of tensor 'w': not a regular file: DIR/folder: put the data file there");
    EXPECT_EQ(errorOf(model("m.onnx", "w.bin", "4", "8")),
        "external data of tensor 'w' ends behind its file: DIR/w.bin: it needs 8 bytes from byte 4 on and the file has "
        "8, copy or download the file again");
    EXPECT_EQ(errorOf(model("m.onnx", "w.bin", "18446744073709551608", "8")),
        "external data of tensor 'w' ends behind its file: DIR/w.bin: it needs 8 bytes from byte 18446744073709551608 "
        "on "
        "and the file has 8, copy or download the file again");
    EXPECT_EQ(errorOf(model("m.onnx", "w.bin", "0", "4")),
        "tensor 'w' has 4 bytes of external data, its shape and type need 8: DIR/w.bin: export the model again");
    EXPECT_EQ(errorOf(model("m.onnx", "w.bin", "-1")),
        "external data of tensor 'w' has a broken offset '-1': DIR/m.onnx: export the model again");
    EXPECT_EQ(
        errorOf(model("m.onnx", "")), "tensor 'w' is external, but names no file: DIR/m.onnx: export the model again");
}

TEST_F(ExternalData, BytesInMemoryHaveNone)
{
    ProtoBuilder file;
    file.external("w", {2}, "w.bin");
    const auto read = readModelBytes(file.bytes(), "memory");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().line(), "external data of tensor 'w' is missing: w.bin: open the model from its own file");
}

TEST_F(ExternalData, MayExceedTwoGigabytes)
{
    constexpr std::uint64_t kEnd = 2'100'000'000ULL * 1024 / 1000; // past 2^31
    m_folder.write("w.bin", "");
    fs::resize_file(m_folder / "w.bin", kEnd); // sparse: takes no disk
    std::fstream stream(m_folder / "w.bin", std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(kEnd - kTwoFloats.size()));
    stream.write(kTwoFloats.data(), static_cast<std::streamsize>(kTwoFloats.size()));
    stream.close();
    const auto read = readModel(model("m.onnx", "w.bin", std::to_string(kEnd - kTwoFloats.size())));
    EXPECT_EQ(onlyTensor(read), (std::vector<float>{1, 2}));
    const auto written = writeModel(**read, {}, m_folder / "out.onnx");
    ASSERT_TRUE(written) << written.error().line();
    EXPECT_EQ(onlyTensor(readModel(m_folder / "out.onnx")), (std::vector<float>{1, 2}));
}

TEST_F(ExternalData, AModelFileAboveTwoGigabytesIsRefused)
{
    const fs::path path = m_folder.write("m.onnx", "x");
    fs::resize_file(path, 2'147'483'648ULL);
    EXPECT_EQ(errorOf(path), "the model file is larger than 2 GB: DIR/m.onnx: store its weights as external data");
}

} // namespace
} // namespace duo
