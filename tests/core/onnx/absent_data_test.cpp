// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/absent_data.h"
#include "core/pipeline/snapshot/snapshot.h"

#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

namespace fs = std::filesystem;
using test::ProtoBuilder;

constexpr std::string_view kOneTwo("\0\0\x80\x3F\0\0\0\x40", 8); // as floats

class AbsentData : public testing::Test
{
protected:
    /// y = (x + a) + b, where `a` lies in a.bin and `b` in b.bin.
    [[nodiscard]] fs::path twoFiles() const
    {
        ProtoBuilder file;
        file.input("x").output("y").external("net.a", {2}, "a.bin");
        file.external("net.b", {2}, "b.bin");
        file.node("Add", "/net/Add", {"x", "net.a"}, {"sum"});
        file.node("Add", "/net/Add_1", {"sum", "net.b"}, {"y"});
        return m_folder.write("m.onnx", file.text());
    }

    [[nodiscard]] static std::vector<float> valuesOf(const Model& model, const std::string& name)
    {
        return toFloats(*model.constant(model.findValue(name)));
    }

    test::TemporaryFolder m_folder;
};

TEST_F(AbsentData, LeavesTheStructureAsTheModelSays)
{
    m_folder.write("b.bin", kOneTwo);
    const auto model = *readStructure(twoFiles());
    ASSERT_EQ(model->nodes.size(), 2U);
    const Tensor& absent = *model->constant(model->findValue("net.a"));
    EXPECT_EQ(absent.dims, (std::vector<std::int64_t>{2}));
    EXPECT_EQ(absent.type, ElementType::Float32);
    EXPECT_TRUE(absent.bytes().empty());
    EXPECT_EQ(valuesOf(*model, "net.b"), (std::vector<float>{1, 2}));
}

TEST_F(AbsentData, IsToldByFile)
{
    const auto model = *readStructure(twoFiles());
    const auto absent = absentFiles(*model);
    ASSERT_EQ(absent.size(), 2U);
    EXPECT_EQ(absent[0].location, "a.bin");
    EXPECT_EQ(absent[0].path, m_folder / "a.bin");
    EXPECT_EQ(absent[0].tensors, 1);
    ASSERT_EQ(model->notes.size(), 2U);
    EXPECT_EQ(model->notes[0].kind, "absent-data");
    EXPECT_EQ(model->notes[0].where, "a.bin");
    EXPECT_EQ(m_folder.withoutPath(checkHasData(*model).error().line()),
        "the model has no weights here: a.bin and 1 more file with its external data cannot be found: DIR/a.bin: put "
        "the data beside the model, or name their folder with --allow-external");
}

TEST_F(AbsentData, NothingIsAbsentWhereAllFilesAreThere)
{
    m_folder.write("a.bin", kOneTwo);
    m_folder.write("b.bin", kOneTwo);
    const auto model = *readStructure(twoFiles());
    EXPECT_TRUE(absentFiles(*model).empty());
    EXPECT_TRUE(checkHasData(*model));
    EXPECT_TRUE(model->notes.empty());
}

TEST_F(AbsentData, IsLookedForInTheFolderThatIsAllowed)
{
    m_folder.write("elsewhere/a.bin", kOneTwo);
    m_folder.write("elsewhere/b.bin", kOneTwo);
    const auto model = readModel(twoFiles(), {m_folder / "elsewhere"});
    ASSERT_TRUE(model) << model.error().line();
    EXPECT_EQ(valuesOf(**model, "net.a"), (std::vector<float>{1, 2}));
}

TEST_F(AbsentData, MayBeAFileOfAnotherName)
{
    m_folder.write("b.bin", kOneTwo);
    const fs::path renamed = m_folder.write("elsewhere/weights (1).bin", kOneTwo);
    const auto model = readModel(twoFiles(), {renamed});
    ASSERT_TRUE(model) << model.error().line();
    EXPECT_EQ(valuesOf(**model, "net.a"), (std::vector<float>{1, 2}));
}

TEST_F(AbsentData, OneFileStandsForOneLocationOnly)
{
    const fs::path renamed = m_folder.write("elsewhere/weights (1).bin", kOneTwo);
    EXPECT_EQ(absentFiles(**readStructure(twoFiles(), {renamed})).size(), 1U);
}

TEST_F(AbsentData, AFileThatIsTooShortIsRefused)
{
    m_folder.write("a.bin", "short");
    const auto model = readStructure(twoFiles());
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().what, "external data of tensor 'net.a' ends behind its file");
}

TEST_F(AbsentData, ScopesAndSizesAreKnownAndQuantizersAreNot)
{
    ProtoBuilder file;
    file.input("x", {1, 2}).output("y", {1, 2}).external("net.fc.weight", {2, 2}, "gone.bin");
    file.node("MatMul", "/net/fc/MatMul", {"x", "net.fc.weight"}, {"y"});
    const auto snapshot = openSnapshot(m_folder.write("m.onnx", file.text()));
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    EXPECT_EQ(snapshot->scopes->storage.scopes.front().totalParameters, 4);
    EXPECT_EQ(snapshot->scopes->storage.scopes.front().totalBytes, 16);
    EXPECT_TRUE(snapshot->scopes->storage.find("net.fc").valid());
    EXPECT_FALSE(snapshot->placement);
    ASSERT_TRUE(snapshot->refusal);
    EXPECT_EQ(snapshot->refusal->code, ErrorCode::FileNotReadable);
}

} // namespace
} // namespace duo
