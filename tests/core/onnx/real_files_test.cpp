// SPDX-License-Identifier: Apache-2.0
// Every real file of the test data: it opens, and comes out as it went in.
#include "core/onnx/reader.h"
#include "core/onnx/schema_check.h"
#include "core/onnx/writer.h"

#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <onnx.pb.h>

#include <algorithm>

namespace duo {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> realFiles()
{
    std::vector<fs::path> files;
    for (const fs::path& folder : {fs::path(DUO_TEST_DATA) / "cases", fs::path(DUO_TEST_DATA) / "models",
             fs::path(DUO_SAMPLES), fs::path(DUO_FILLED_MODELS)}) {
        if (!fs::exists(folder))
            continue;
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() == ".onnx" && entry.path().stem().extension() != ".structure")
                files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

class RealFile : public testing::TestWithParam<fs::path>
{
};

TEST_P(RealFile, ComesOutByteForByte)
{
    const auto model = readModel(GetParam());
    ASSERT_TRUE(model) << model.error().line();
    const std::string original = test::bytesOf(GetParam());
    const test::TemporaryFolder folder;
    const auto files = writeModel(**model, {}, folder / "out.onnx");
    ASSERT_TRUE(files) << files.error().line();
    EXPECT_EQ(files->files, std::vector<fs::path>{folder / "out.onnx"});
    EXPECT_EQ(files->bytes, static_cast<std::int64_t>(original.size()));
    EXPECT_TRUE(test::bytesOf(folder / "out.onnx") == original);
}

TEST_P(RealFile, IsAsOnnxHasIt)
{
    const auto model = readModel(GetParam());
    ASSERT_TRUE(model) << model.error().line();
    for (const Note& note : (*model)->notes)
        EXPECT_NE(note.kind, kNotInSchema) << note.where << ": " << note.text;
}

/// protobuf's own reading of the file must agree with what the model holds.
TEST_P(RealFile, HoldsWhatProtobufReads)
{
    const auto model = readModel(GetParam());
    ASSERT_TRUE(model) << model.error().line();
    onnx::ModelProto proto;
    ASSERT_TRUE(proto.ParseFromString(test::bytesOf(GetParam())));
    ASSERT_EQ((*model)->mainGraph().nodes.size(), static_cast<std::size_t>(proto.graph().node_size()));
    ASSERT_EQ((*model)->initializers.size(), static_cast<std::size_t>(proto.graph().initializer_size()));
    for (int i = 0; i < proto.graph().node_size(); ++i) {
        const Node& node = (*model)->node((*model)->mainGraph().nodes[static_cast<std::size_t>(i)]);
        EXPECT_EQ(node.opType, proto.graph().node(i).op_type());
        EXPECT_EQ(node.localName, proto.graph().node(i).name());
        ASSERT_EQ(node.inputs.size(), static_cast<std::size_t>(proto.graph().node(i).input_size()));
    }
    for (int i = 0; i < proto.graph().initializer_size(); ++i) {
        const auto& expected = proto.graph().initializer(i);
        const Tensor& tensor = (*model)->tensor((*model)->initializers[static_cast<std::size_t>(i)]);
        EXPECT_EQ(tensor.name, expected.name());
        const std::string_view bytes(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
        EXPECT_TRUE(!expected.has_raw_data() || bytes == expected.raw_data());
    }
}

std::string testName(const testing::TestParamInfo<fs::path>& info)
{
    std::string name = info.param.parent_path().filename().string() + "_" + info.param.stem().string();
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, RealFile, testing::ValuesIn(realFiles()), testName);

TEST(RealFiles, ExternalDataMovesIntoOneFile)
{
    const fs::path input = fs::path(DUO_TEST_DATA) / "models/external/external.onnx";
    const auto model = readModel(input);
    ASSERT_TRUE(model) << model.error().line();
    const test::TemporaryFolder folder;
    const auto files = writeModel(**model, {}, folder / "out.onnx");
    ASSERT_TRUE(files) << files.error().line();
    EXPECT_EQ(files->files, (std::vector<fs::path>{folder / "out.onnx", folder / "out.onnx.data"}));
    const auto again = readModel(folder / "out.onnx");
    ASSERT_TRUE(again) << again.error().line();
    ASSERT_EQ((*again)->tensors.size(), (*model)->tensors.size());
    for (std::size_t i = 0; i < (*model)->tensors.size(); ++i) {
        EXPECT_EQ((*again)->tensors[i].place, (*model)->tensors[i].place);
        EXPECT_TRUE(std::ranges::equal((*again)->tensors[i].bytes(), (*model)->tensors[i].bytes()));
    }
}

} // namespace
} // namespace duo
