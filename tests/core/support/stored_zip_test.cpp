// SPDX-License-Identifier: Apache-2.0
#include "core/support/stored_zip.h"

#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_file.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::bytesOf;
using test::Packing;
using test::writeZip;

std::string textOf(const SharedBytes& bytes)
{
    return {reinterpret_cast<const char*>(bytes.bytes.data()), bytes.bytes.size()};
}

class StoredZipTest : public testing::Test
{
protected:
    [[nodiscard]] std::string openError(const std::filesystem::path& path) const
    {
        const auto zip = StoredZip::open(path);
        return zip ? "no error" : m_folder.withoutPath(zip.error().line());
    }
    [[nodiscard]] std::string bytesError(const std::filesystem::path& path, const std::string& member) const
    {
        const auto zip = StoredZip::open(path);
        if (!zip)
            return m_folder.withoutPath(zip.error().line());
        const auto bytes = (*zip)->bytes(*(*zip)->find(member));
        return bytes ? "no error" : m_folder.withoutPath(bytes.error().line());
    }
    test::TemporaryFolder m_folder;
};

TEST_F(StoredZipTest, FindsMembersUnderTheRootFolder)
{
    writeZip(m_folder / "a.zip", {{"net/data.pkl", "p"}, {"net/data/0", "ab"}, {"net/version", ""}});
    const auto zip = StoredZip::open(m_folder / "a.zip");
    ASSERT_TRUE(zip) << zip.error().line();
    EXPECT_EQ((*zip)->root(), "net/");
    ASSERT_EQ((*zip)->members().size(), 3U);
    ASSERT_NE((*zip)->find("data/0"), nullptr);
    EXPECT_EQ((*zip)->find("data/0")->name, "net/data/0");
    EXPECT_EQ((*zip)->find("data/0")->bytes, 2);
    EXPECT_EQ((*zip)->find("net/data/0"), nullptr);
}

TEST_F(StoredZipTest, AnArchiveWithoutOneRootHasNone)
{
    writeZip(m_folder / "a.zip", {{"version", "3"}, {"extra/x", "ab"}});
    const auto zip = StoredZip::open(m_folder / "a.zip");
    ASSERT_TRUE(zip);
    EXPECT_EQ((*zip)->root(), "");
    EXPECT_NE((*zip)->find("extra/x"), nullptr);
}

TEST_F(StoredZipTest, GivesStoredMembersWithoutACopy)
{
    writeZip(m_folder / "a.zip", {{"r/first", "first member"}, {"r/second", "second member"}, {"r/none", ""}});
    const auto file = MappedFile::open(m_folder / "a.zip");
    ASSERT_TRUE(file);
    const auto zip = StoredZip::open(SharedBytes{*file, (*file)->bytes()}, "a.zip");
    ASSERT_TRUE(zip) << zip.error().line();
    const auto second = (*zip)->bytes(*(*zip)->find("second"));
    ASSERT_TRUE(second) << second.error().line();
    EXPECT_EQ(textOf(*second), "second member");
    EXPECT_GE(second->bytes.data(), (*file)->bytes().data());
    EXPECT_LT(second->bytes.data(), (*file)->bytes().data() + (*file)->bytes().size());
    EXPECT_EQ(textOf(*(*zip)->bytes(*(*zip)->find("none"))), "");
}

TEST_F(StoredZipTest, UnpacksDeflatedMembersInMemoryOrIntoAFile)
{
    const std::string text(100000, 'x');
    writeZip(m_folder / "a.zip", {{"r/long", text}}, Packing::Deflated);
    const auto zip = StoredZip::open(m_folder / "a.zip");
    ASSERT_TRUE(zip);
    const ZipMember& member = *(*zip)->find("long");
    EXPECT_FALSE(member.isStored);
    EXPECT_EQ(textOf(*(*zip)->bytes(member)), text);
    EXPECT_EQ(textOf(*(*zip)->bytes(member, {}, 1000)), text);
    EXPECT_EQ((*zip)->start(member, 3)->size(), 3U);
}

TEST_F(StoredZipTest, ReadsAnArchiveInsideAnother)
{
    writeZip(m_folder / "inner.zip", {{"inner/x", "deep"}});
    writeZip(m_folder / "outer.zip", {{"inner.zip", bytesOf(m_folder / "inner.zip")}, {"other", ""}});
    const auto outer = StoredZip::open(m_folder / "outer.zip");
    ASSERT_TRUE(outer);
    const auto bytes = (*outer)->bytes(*(*outer)->find("inner.zip"));
    ASSERT_TRUE(bytes);
    const auto inner = StoredZip::open(*bytes, "inner.zip");
    ASSERT_TRUE(inner) << inner.error().line();
    EXPECT_EQ(textOf(*(*inner)->bytes(*(*inner)->find("x"))), "deep");
}

TEST_F(StoredZipTest, RefusesWhatIsNoArchive)
{
    EXPECT_EQ(openError(m_folder / "absent.zip"), "cannot read file: DIR/absent.zip: No such file or directory");
    EXPECT_EQ(openError(m_folder.write("a.zip", "PK\x03\x04oops")),
        "archive cannot be read: DIR/a.zip: Not a zip archive: it is damaged or cut off; copy it again");
}

TEST_F(StoredZipTest, RefusesACutArchive)
{
    writeZip(m_folder / "a.zip", {{"r/x", std::string(1000, 'x')}});
    const std::string content = bytesOf(m_folder / "a.zip");
    EXPECT_EQ(openError(m_folder.write("b.zip", content.substr(0, content.size() - 30))),
        "archive cannot be read: DIR/b.zip: Not a zip archive: it is damaged or cut off; copy it again");
}

TEST_F(StoredZipTest, RefusesRepeatedNames)
{
    writeZip(m_folder / "a.zip", {{"r/x", "1"}, {"r/y", "2"}});
    std::string content = bytesOf(m_folder / "a.zip");
    for (std::size_t at = content.find("r/y"); at != std::string::npos; at = content.find("r/y"))
        content.replace(at, 3, "r/x");
    EXPECT_EQ(
        openError(m_folder.write("b.zip", content)), "archive holds a member twice: DIR/b.zip: 'r/x': write it again");
}

TEST_F(StoredZipTest, RefusesAMemberThatEndsBeyondTheFile)
{
    writeZip(m_folder / "a.zip", {{"r/x", "1234"}});
    std::string content = bytesOf(m_folder / "a.zip");
    const std::size_t entry = content.find("PK\x01\x02"); // central directory: packed size at 20, unpacked at 24
    content.replace(entry + 20, 8, std::string("\xFF\xFF\xFF\x0F\xFF\xFF\xFF\x0F", 8));
    EXPECT_EQ(bytesError(m_folder.write("b.zip", content), "x"),
        "archive cannot be read: DIR/b.zip: 'r/x': it ends beyond the file: it is damaged or cut off; copy it again");
}

TEST_F(StoredZipTest, RefusesSizesThatCannotBeTrue)
{
    writeZip(m_folder / "a.zip", {{"r/x", std::string(1000, 'x')}}, Packing::Deflated);
    std::string content = bytesOf(m_folder / "a.zip");
    content.replace(content.find("PK\x01\x02") + 24, 4, "\xF0\xFF\xFF\x7F");
    EXPECT_EQ(bytesError(m_folder.write("b.zip", content), "x"),
        "archive cannot be read: DIR/b.zip: 'r/x': its sizes cannot be true, or it is packed in an unknown way: it is "
        "damaged or cut off; copy it again");
}

TEST_F(StoredZipTest, RefusesMembersThatLieOverEachOther)
{
    writeZip(m_folder / "a.zip", {{"r/x", std::string(4000, 'x')}, {"r/y", ""}});
    std::string content = bytesOf(m_folder / "a.zip");
    const std::size_t first = content.find("PK\x01\x02"); // check sum and sizes at 16, place at 42
    const std::size_t second = content.find("PK\x01\x02", first + 1);
    content.replace(second + 16, 12, content.substr(first + 16, 12));
    content.replace(second + 42, 4, content.substr(first + 42, 4));
    EXPECT_EQ(openError(m_folder.write("b.zip", content)),
        "archive cannot be read: DIR/b.zip: its members lie over each other: it is damaged or cut off; copy it again");
}

TEST_F(StoredZipTest, NoticesDamageWhenItUnpacks)
{
    writeZip(m_folder / "a.zip", {{"r/x", "1234"}});
    std::string content = bytesOf(m_folder / "a.zip");
    content[content.find("1234")] = '7';
    const auto zip = StoredZip::open(m_folder.write("b.zip", content));
    ASSERT_TRUE(zip);
    const auto bytes = (*zip)->unpack((*zip)->members()[0], 0, 4);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(m_folder.withoutPath(bytes.error().line()),
        "archive cannot be read: DIR/b.zip: 'r/x': CRC error: it is damaged or cut off; copy it again");
}

} // namespace
} // namespace duo
