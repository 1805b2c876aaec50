// SPDX-License-Identifier: Apache-2.0
#include "core/formats/array_file.h"

#include "tests/support/numpy_files.h"
#include "tests/support/temporary_folder.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::npyRange;
using test::Packing;
using test::writeNpz;

std::vector<float> floatsOf(const SharedBytes& bytes)
{
    std::vector<float> out(bytes.bytes.size() / sizeof(float));
    std::memcpy(out.data(), bytes.bytes.data(), bytes.bytes.size());
    return out;
}

class ArrayFileTest : public testing::Test
{
protected:
    [[nodiscard]] std::string openError(const std::filesystem::path& path) const
    {
        const auto file = ArrayFile::open(path);
        return file ? "no error" : m_folder.withoutPath(file.error().line());
    }
    test::TemporaryFolder m_folder;
};

TEST_F(ArrayFileTest, ReadsStoredAndDeflatedMembers)
{
    for (const Packing packing : {Packing::Stored, Packing::Deflated}) {
        writeNpz(m_folder / "a.npz",
            {{"image.npy", npyRange({2, 2})}, {"readme.txt", "x"}, {"label.npy", npyRange({1})}}, packing);
        const auto file = ArrayFile::open(m_folder / "a.npz");
        ASSERT_TRUE(file) << file.error().line();
        ASSERT_EQ((*file)->arrays().size(), 2U);
        ASSERT_NE((*file)->find("image"), nullptr);
        const auto bytes = (*file)->read(*(*file)->find("image"));
        ASSERT_TRUE(bytes) << bytes.error().line();
        EXPECT_THAT(floatsOf(*bytes), testing::ElementsAre(0, 1, 2, 3));
    }
}

TEST_F(ArrayFileTest, ReadsAPlainArrayWhereItLies)
{
    const auto file = ArrayFile::open(m_folder.write("x.npy", npyRange({3})));
    ASSERT_TRUE(file);
    EXPECT_EQ((*file)->arrays()[0].name, "x");
    EXPECT_THAT(floatsOf(*(*file)->read((*file)->arrays()[0])), testing::ElementsAre(0, 1, 2));
}

TEST_F(ArrayFileTest, UnpacksLongMembersIntoAFile)
{
    writeNpz(m_folder / "a.npz", {{"x.npy", npyRange({700, 1000})}}, Packing::Deflated);
    const auto file = ArrayFile::open(m_folder / "a.npz");
    ASSERT_TRUE(file);
    const auto spilled = (*file)->read((*file)->arrays()[0], {}, 1000);
    ASSERT_TRUE(spilled) << spilled.error().line();
    const auto held = (*file)->read((*file)->arrays()[0]);
    EXPECT_EQ(floatsOf(*spilled), floatsOf(*held));
}

TEST_F(ArrayFileTest, AnArrayThatCannotBeUsedFailsOnlyWhenRead)
{
    writeNpz(m_folder / "a.npz",
        {{"x.npy", npyRange({1})},
            {"names.npy", test::npyWithHeader(test::npyDictionary("<U3", {1}), "abcdefghijkl")}});
    const auto file = ArrayFile::open(m_folder / "a.npz");
    ASSERT_TRUE(file);
    const auto names = (*file)->read(*(*file)->find("names"));
    ASSERT_FALSE(names);
    EXPECT_EQ(m_folder.withoutPath(names.error().line()),
        "array has elements that are no plain numbers: DIR/a.npz: array 'names': its type is <U3; save numbers");
}

TEST_F(ArrayFileTest, StopsWhileUnpacking)
{
    writeNpz(m_folder / "a.npz", {{"x.npy", npyRange({700, 1000})}}, Packing::Deflated);
    const auto file = ArrayFile::open(m_folder / "a.npz");
    std::stop_source stop;
    stop.request_stop();
    const auto read = (*file)->read((*file)->arrays()[0], JobContext{stop.get_token(), {}});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error(), cancelledError());
}

TEST_F(ArrayFileTest, SaysWhatIsWrongWithAnArchive)
{
    EXPECT_EQ(openError(m_folder / "absent.npz"), "cannot read file: DIR/absent.npz: No such file or directory");
    EXPECT_EQ(openError(m_folder.write("short.npz", "PK\x03\x04oops")),
        "archive cannot be read: DIR/short.npz: Not a zip archive: it is damaged or cut off; copy it again");
    EXPECT_EQ(openError(m_folder.write("empty.npy", "")),
        "not a NumPy array: DIR/empty.npy: write it with numpy.save or numpy.savez");
}

TEST_F(ArrayFileTest, NoticesDamagedElements)
{
    writeNpz(m_folder / "a.npz", {{"x.npy", npyRange({4})}});
    const auto mapped = MappedFile::open(m_folder / "a.npz");
    std::string bytes(reinterpret_cast<const char*>((*mapped)->bytes().data()), (*mapped)->bytes().size());
    bytes[bytes.find("NUMPY") + 130] ^= 0x10; // in the elements
    const auto file = ArrayFile::open(m_folder.write("b.npz", bytes));
    ASSERT_TRUE(file) << file.error().line();
    const auto read = (*file)->read((*file)->arrays()[0]);
    ASSERT_FALSE(read);
    EXPECT_EQ(m_folder.withoutPath(read.error().line()),
        "archive cannot be read: DIR/b.npz: 'x.npy': CRC error: it is damaged or cut off; copy it again");
}

TEST_F(ArrayFileTest, RefusesSizesThatCannotBeTrue)
{
    writeNpz(m_folder / "a.npz", {{"x.npy", npyRange({40})}}, Packing::Deflated);
    const auto mapped = MappedFile::open(m_folder / "a.npz");
    std::string bytes(reinterpret_cast<const char*>((*mapped)->bytes().data()), (*mapped)->bytes().size());
    const std::size_t entry = bytes.find("PK\x01\x02"); // central directory: uncompressed size at 24
    bytes.replace(entry + 24, 4, "\xF0\xFF\xFF\x7F");
    const auto file = ArrayFile::open(m_folder.write("b.npz", bytes));
    const std::string error = !file ? file.error().line() : (*file)->arrays()[0].header.error().line();
    EXPECT_EQ(m_folder.withoutPath(error),
        "archive cannot be read: DIR/b.npz: 'x.npy': its sizes cannot be true, or it is packed in an unknown way: it "
        "is damaged or cut off; copy it again");
}

TEST_F(ArrayFileTest, RefusesHostileFilesInOneLine)
{
    const std::filesystem::path hostile = std::filesystem::path(DUO_TEST_DATA) / "hostile";
    const std::string folder = hostile.string();
    EXPECT_EQ(openError(hostile / "truncated.npy"),
        "array has another size than its shape says: " + folder
            + "/truncated.npy: 44 bytes of 64; the file is damaged");
    for (const char* name : {"shape_overflow.npy", "header_overflow.npy"})
        EXPECT_EQ(openError(hostile / name),
            "array has a damaged header: " + folder + "/" + name + ": write it again with numpy.save or numpy.savez");
    EXPECT_EQ(openError(hostile / "objects.npy"),
        "array has elements that are no plain numbers: " + folder + "/objects.npy: its type is |O; save numbers");
    EXPECT_EQ(openError(hostile / "truncated.npz"),
        "archive cannot be read: " + folder
            + "/truncated.npz: Not a zip archive: it is damaged or cut off; copy it again");
}

} // namespace
} // namespace duo
