// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/writer.h"

#include "core/onnx/reader.h"

#include "tests/support/file_bytes.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

namespace fs = std::filesystem;
using test::bytesOf;
using test::ProtoBuilder;

class Writer : public testing::Test
{
protected:
    std::shared_ptr<const Model> read(const ProtoBuilder& file, const std::string& name = "in.onnx") const
    {
        auto model = readModel(m_folder.write(name, file.text()));
        if (!model)
            ADD_FAILURE() << model.error().line();
        return model ? *model : nullptr;
    }

    std::string errorOf(const Model& model, const fs::path& target) const
    {
        const auto written = writeModel(model, {}, target);
        return written ? "none" : m_folder.withoutPath(written.error().line());
    }

    test::TemporaryFolder m_folder;
};

TEST_F(Writer, KeepsWhatItDoesNotKnow)
{
    ProtoBuilder file;
    file.input("x").output("x").weight("w");
    file.model().mutable_unknown_fields()->append("\xBA\x3E\x03new"); // field 999
    file.proto().mutable_initializer(0)->mutable_unknown_fields()->append("\xB8\x3E\x07");
    auto& training = *file.model().add_training_info()->mutable_algorithm();
    training.add_initializer()->set_raw_data("training");
    file.proto().add_quantization_annotation()->set_tensor_name("w");
    const auto model = read(file);
    const auto written = writeModel(*model, {}, m_folder / "out.onnx");
    ASSERT_TRUE(written) << written.error().line();
    EXPECT_EQ(bytesOf(m_folder / "out.onnx"), file.text());
}

TEST_F(Writer, RefusesToReplaceItsInput)
{
    m_folder.write("w.bin", "12345678");
    m_folder.write("out.onnx.data", "12345678");
    ProtoBuilder file;
    file.external("w", {2}, "w.bin");
    file.external("v", {2}, "out.onnx.data");
    const auto model = read(file);
    fs::create_hard_link(m_folder / "in.onnx", m_folder / "hard.onnx");
    fs::create_symlink("in.onnx", m_folder / "soft.onnx");
    EXPECT_EQ(
        errorOf(*model, m_folder / "in.onnx"), "the output would replace the input: DIR/in.onnx: name another file");
    EXPECT_EQ(errorOf(*model, m_folder / "." / "hard.onnx"),
        "the output would replace the input: DIR/./hard.onnx: name another file");
    EXPECT_EQ(errorOf(*model, m_folder / "soft.onnx"),
        "the output would replace the input: DIR/soft.onnx: name another file");
    EXPECT_EQ(errorOf(*model, m_folder / "w.bin"),
        "the output would replace external data of the input: DIR/w.bin: name another file");
    EXPECT_EQ(errorOf(*model, m_folder / "out.onnx"),
        "the output would replace external data of the input: DIR/out.onnx.data: name another file");
    EXPECT_EQ(bytesOf(m_folder / "out.onnx.data"), "12345678");
    EXPECT_FALSE(fs::exists(m_folder / "out.onnx"));
}

TEST_F(Writer, ExternalTensorsAreAlignedAndSharedBytesStayShared)
{
    m_folder.write("w.bin", "12345678abcdefgh");
    ProtoBuilder file;
    file.external("w", {2}, "w.bin", "0", "8");
    file.external("same", {2}, "w.bin", "0");
    auto& checked = *file.external("v", {2}, "w.bin", "8").add_external_data();
    checked.set_key("checksum");
    checked.set_value("of the old file");
    auto& function = file.function("NeverCalled", {}, {"r"});
    auto& constant = *test::addNode(function, "Constant", "", {}, {"r"}).add_attribute();
    constant.set_name("value");
    constant.mutable_t()->CopyFrom(file.proto().initializer(0));
    const auto model = read(file);
    const auto written = writeModel(*model, {}, m_folder / "out.onnx");
    ASSERT_TRUE(written) << written.error().line();
    const std::string data = bytesOf(m_folder / "out.onnx.data");
    ASSERT_EQ(data.size(), 4104U);
    EXPECT_EQ(data.substr(0, 8), "12345678");
    EXPECT_EQ(data.substr(4096), "abcdefgh");
    onnx::ModelProto proto;
    ASSERT_TRUE(proto.ParseFromString(bytesOf(m_folder / "out.onnx")));
    const auto reference = [](const onnx::TensorProto& tensor) {
        std::string text;
        for (const auto& entry : tensor.external_data())
            text += entry.key() + "=" + entry.value() + " ";
        return text;
    };
    EXPECT_EQ(reference(proto.graph().initializer(0)), "location=out.onnx.data offset=0 length=8 ");
    EXPECT_EQ(reference(proto.graph().initializer(1)), "location=out.onnx.data offset=0 length=8 ");
    EXPECT_EQ(reference(proto.graph().initializer(2)), "location=out.onnx.data offset=4096 length=8 ");
    EXPECT_EQ(reference(proto.functions(0).node(0).attribute(0).t()), "location=out.onnx.data offset=0 length=8 ");
    EXPECT_EQ(written->bytes, static_cast<std::int64_t>(fs::file_size(m_folder / "out.onnx")) + 4104);
}

TEST_F(Writer, GivesTheSameBytesEveryTime)
{
    const auto model = readModel(fs::path(DUO_TEST_DATA) / "models" / "functions.onnx");
    ASSERT_TRUE(model);
    EditList edits;
    edits.metadata = {{"b", "2"}, {"a", "1"}};
    ASSERT_TRUE(writeModel(**model, edits, m_folder / "one.onnx"));
    ASSERT_TRUE(writeModel(**model, edits, m_folder / "two.onnx"));
    EXPECT_EQ(bytesOf(m_folder / "one.onnx"), bytesOf(m_folder / "two.onnx"));
}

TEST_F(Writer, LeavesTheOldFilesWholeWhenStopped)
{
    m_folder.write("w.bin", std::string(8, 'w'));
    m_folder.write("out.onnx", "old");
    m_folder.write("out.onnx.data", "old data");
    ProtoBuilder file;
    file.external("w", {2}, "w.bin");
    const auto model = read(file);
    std::stop_source stop;
    stop.request_stop();
    const auto written = writeModel(*model, {}, m_folder / "out.onnx", JobContext{stop.get_token(), {}});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error(), cancelledError());
    EXPECT_EQ(bytesOf(m_folder / "out.onnx"), "old");
    EXPECT_EQ(bytesOf(m_folder / "out.onnx.data"), "old data");
}

TEST_F(Writer, SaysWhyItCannotWrite)
{
    ProtoBuilder file;
    file.input("x").output("x");
    const auto model = read(file);
    EXPECT_EQ(errorOf(*model, m_folder / "no/such/folder/out.onnx"),
        "cannot write file: DIR/no/such/folder/out.onnx: No such file or directory");
    EXPECT_EQ(errorOf(Model{}, m_folder / "out.onnx"), "the model was not read from a file: report this");
}

} // namespace
} // namespace duo
