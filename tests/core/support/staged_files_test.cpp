// SPDX-License-Identifier: Apache-2.0
#include "core/support/staged_files.h"

#include "core/support/file.h"

#include "tests/support/failing_disk.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;

const FileSet kFiles{.main = "m.onnx", .readByMain = {"m.onnx.data"}, .beside = {"m.state.json"}};

Status writeText(const std::filesystem::path& path, const std::string& text)
{
    return writeFileAtomically(path, [&](std::ostream& out) {
        out << text;
        return success();
    });
}

Status writeSet(const std::filesystem::path& target)
{
    DUO_TRY(staged, StagedFiles::beside(target));
    for (const std::string name : {"m.onnx.data", "m.onnx", "m.state.json"})
        DUO_CHECK(writeText(staged.folder() / name, "new " + name));
    return staged.putInPlace(kFiles);
}

class StagedFilesTest : public testing::Test
{
protected:
    void prepare(const std::vector<std::string>& old)
    {
        std::filesystem::remove_all(m_folder.path());
        std::filesystem::create_directories(m_folder.path());
        for (const std::string& name : old)
            m_folder.write(name, "old " + name);
    }

    /// @return faults
    int expectWhole(const std::vector<std::string>& old)
    {
        return expectWholeWhateverFails({.prepare = [&] { prepare(old); },
            .write = [this] { return writeSet(m_folder / "m.onnx"); },
            .folder = m_folder.path()});
    }

    TemporaryFolder m_folder;
};

TEST_F(StagedFilesTest, AreAnErrorWhereSomebodyTookThemAway)
{
    prepare({"m.onnx"});
    auto staged = StagedFiles::beside(m_folder / "m.onnx");
    ASSERT_TRUE(staged);
    ASSERT_TRUE(writeText(staged->folder() / "m.onnx", "new"));
    std::filesystem::remove_all(staged->folder());
    const Status status = staged->putInPlace(kFiles);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().line(),
        "cannot write file: " + std::filesystem::path(m_folder / "m.onnx").string() + ": No such file or directory");
    EXPECT_EQ(bytesOf(m_folder / "m.onnx"), "old m.onnx");
}

TEST_F(StagedFilesTest, ReplaceAllOrNoneWhateverStepFails)
{
    EXPECT_GT(expectWhole({"m.onnx", "m.onnx.data", "m.state.json", "other"}), 100);
}

TEST_F(StagedFilesTest, AreAllThereOrNoneWhereThereWereNone)
{
    EXPECT_GT(expectWhole({}), 100);
}

TEST_F(StagedFilesTest, LieWhereTheProgramStandsIfTheTargetIsANameAlone)
{
    const std::filesystem::path before = std::filesystem::current_path();
    const auto prepareHere = [&] {
        std::filesystem::current_path(before);
        prepare({"m.onnx", "m.state.json"});
        std::filesystem::current_path(m_folder.path());
    };
    EXPECT_GT(expectWholeWhateverFails(
                  {.prepare = prepareHere, .write = [] { return writeSet("m.onnx"); }, .folder = m_folder.path()}),
        100);
    std::filesystem::current_path(before);
}

TEST_F(StagedFilesTest, TakeAwayAStateWhereTheModelCouldNotFollow)
{
    EXPECT_GT(expectWhole({"m.onnx"}), 100);
}

const FileSet kFilesBelow{.main = "m.onnx", .readByMain = {}, .beside = {"sample/0.bin"}};

Status writeBelow(const std::filesystem::path& target)
{
    DUO_TRY(staged, StagedFiles::beside(target));
    std::filesystem::create_directory(staged.folder() / "sample");
    for (const std::string name : {"sample/0.bin", "m.onnx"})
        DUO_CHECK(writeText(staged.folder() / name, "new " + name));
    return staged.putInPlace(kFilesBelow);
}

TEST_F(StagedFilesTest, MayLieInFoldersBelow)
{
    for (const bool wasThere : {false, true}) {
        const auto prepareBelow = [&] {
            prepare({"m.onnx"});
            if (!wasThere)
                return;
            std::filesystem::create_directory(m_folder / "sample");
            m_folder.write("sample/0.bin", "old");
            m_folder.write("sample/of the user", "stays");
        };
        EXPECT_GT(expectWholeWhateverFails({.prepare = prepareBelow,
                      .write = [this] { return writeBelow(m_folder / "m.onnx"); },
                      .folder = m_folder.path()}),
            100);
        EXPECT_EQ(bytesOf(m_folder / "sample" / "0.bin"), "new sample/0.bin");
        EXPECT_EQ(std::filesystem::exists(m_folder / "sample" / "of the user"), wasThere);
    }
}

TEST_F(StagedFilesTest, TakeNoFoldersForOldFiles)
{
    prepare({"m.onnx"});
    std::filesystem::create_directories(m_folder / "sample" / "0.bin" / "of the user");
    const Status status = writeBelow(m_folder / "m.onnx");
    ASSERT_FALSE(status);
    EXPECT_EQ(
        status.error().line(), "cannot write file: " + (m_folder / "sample" / "0.bin").string() + ": Is a directory");
    EXPECT_TRUE(std::filesystem::exists(m_folder / "sample" / "0.bin" / "of the user"));
    EXPECT_EQ(bytesOf(m_folder / "m.onnx"), "old m.onnx");
}

/// Writes down every step, and lets all go on.
class DiskDiary : public DiskFault
{
public:
    explicit DiskDiary(std::filesystem::path folder)
        : m_folder(std::move(folder))
        , m_before(setDiskFault(this))
    {
    }
    ~DiskDiary() override { setDiskFault(m_before); }
    DiskDiary(const DiskDiary&) = delete;
    DiskDiary& operator=(const DiskDiary&) = delete;

    int before(DiskStep step, const std::filesystem::path& path, std::size_t& /*bytes*/) override
    {
        static constexpr const char* kTexts[] = {"make", "create", "write", "flush", "link", "rename", "remove"};
        steps.push_back(kTexts[static_cast<std::size_t>(step)] + (" " + path.lexically_relative(m_folder).string()));
        return 0;
    }

    std::vector<std::string> steps; // with what is changed, as seen from the folder

private:
    std::filesystem::path m_folder;
    DiskFault* m_before;
};

TEST_F(StagedFilesTest, ReachTheDiskInTheOrderThatPuttingBackReliesOn)
{
    prepare({"m.onnx", "m.onnx.data", "m.state.json"});
    DiskDiary diary(m_folder.path());
    ASSERT_TRUE(writeSet(m_folder / "m.onnx"));
    const std::string staged = temporaryFor(m_folder / "m.onnx").filename();
    const std::string was = staged + "/was";
    const auto begin = std::find(diary.steps.begin(), diary.steps.end(), "make " + was);
    EXPECT_EQ(std::vector(begin, diary.steps.end()),
        (std::vector<std::string>{"make " + was, "link " + was + "/m.onnx.data", "link " + was + "/m.state.json",
            "link " + was + "/m.onnx", "flush " + was, "flush " + staged, "flush .", "rename " + staged + "/away",
            "rename m.onnx.data", "rename m.state.json", "rename m.onnx", "flush .", "rename " + staged + "/done",
            "flush " + staged, "remove " + staged}));
}

TEST_F(StagedFilesTest, AreNeverAMixtureAfterAKill)
{
    const std::vector<std::string> names{"m.onnx", "m.onnx.data", "m.state.json"};
    bool wasMet = true;
    for (int step = 1; wasMet; ++step) {
        prepare(names);
        FailingDisk disk(DiskTrouble::Killed, step);
        const Status status = writeSet(m_folder / "m.onnx");
        setDiskFault(nullptr);
        wasMet = disk.wasMet();
        SCOPED_TRACE(disk.text());
        const FolderContent killed = contentOf(m_folder.path());
        if (killed.contains("m.onnx")) { // it reads the data that were made with it
            EXPECT_EQ(killed.at("m.onnx").substr(0, 3), killed.at("m.onnx.data").substr(0, 3));
        }
        ASSERT_TRUE(StagedFiles::beside(m_folder / "m.onnx")); // and writes nothing
        const FolderContent found = contentOf(m_folder.path());
        ASSERT_EQ(found.size(), 3U);
        for (const std::string& name : names)
            EXPECT_EQ(found.at(name), found.at("m.onnx").substr(0, 4) + name);
    }
}

TEST_F(StagedFilesTest, AbandonedOnesArePutBackAtOnce)
{
    prepare({"m.onnx", "m.onnx.data"});
    const FolderContent before = contentOf(m_folder.path());
    const auto staged = StagedFiles::beside(m_folder / "m.onnx");
    ASSERT_TRUE(staged);
    ASSERT_TRUE(writeText(staged->folder() / "m.onnx", "half"));
    StagedFiles::abandon(m_folder / "m.onnx");
    EXPECT_EQ(contentOf(m_folder.path()), before);
}

TEST_F(StagedFilesTest, SayWhereTheOldFilesAreWhenThoseCannotBePutBack)
{
    bool wasSaid = false;
    bool wasMet = true;
    for (int step = 1; wasMet; ++step) {
        prepare({"m.onnx", "m.onnx.data"});
        FailingDisk disk(DiskTrouble::Killed, step);
        const Status status = writeSet(m_folder / "m.onnx");
        wasMet = disk.wasMet();
        if (status || status.error().line().find("what was there before lies in ") == std::string::npos)
            continue;
        wasSaid = true;
        const auto was = temporaryFor(m_folder / "m.onnx") / "was";
        EXPECT_EQ(status.error().line().substr(status.error().line().rfind(' ') + 1), was.string());
        EXPECT_EQ(bytesOf(was / "m.onnx"), "old m.onnx");
    }
    EXPECT_TRUE(wasSaid);
}

/// A folder that came with what somebody else has packed.
TEST_F(StagedFilesTest, PutNothingBackFromElsewhere)
{
    const TemporaryFolder elsewhere;
    elsewhere.write("letter", "of the user");
    const auto staged = m_folder / ".m.onnx.duoscope-1";
    std::filesystem::create_directories(staged);
    std::filesystem::create_directory_symlink(elsewhere.path(), staged / "was");
    ASSERT_TRUE(writeSet(m_folder / "m.onnx"));
    EXPECT_EQ(bytesOf(elsewhere / "letter"), "of the user");
    EXPECT_FALSE(std::filesystem::exists(m_folder / "letter"));
}

TEST_F(StagedFilesTest, PutNothingBackThroughALinkThatLeadsElsewhere)
{
    const TemporaryFolder elsewhere;
    elsewhere.write("letter", "of the user");
    elsewhere.write("list", "of the user");
    std::filesystem::create_directory_symlink(elsewhere.path(), m_folder / "sample");
    const auto was = m_folder / ".m.onnx.duoscope-1" / "was" / "sample";
    std::filesystem::create_directories(was);
    m_folder.write(".m.onnx.duoscope-1/was/sample/letter", "of somebody else");
    m_folder.write(".m.onnx.duoscope-1/was/sample/list.absent", "");
    ASSERT_TRUE(writeSet(m_folder / "m.onnx"));
    EXPECT_EQ(bytesOf(elsewhere / "letter"), "of the user");
    EXPECT_EQ(bytesOf(elsewhere / "list"), "of the user");
    EXPECT_TRUE(std::filesystem::exists(was / "letter")); // nobody knows whose it is
}

TEST_F(StagedFilesTest, WriteNothingThroughALinkThatLeadsElsewhere)
{
    const TemporaryFolder elsewhere;
    prepare({"m.onnx"});
    std::filesystem::create_directory_symlink(elsewhere.path(), m_folder / "sample");
    const Status status = writeBelow(m_folder / "m.onnx");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().line(),
        "a folder is wanted where a link lies: " + (m_folder / "sample").string()
            + ": remove it, or name another folder");
    EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
    EXPECT_EQ(bytesOf(m_folder / "m.onnx"), "old m.onnx");
}

TEST_F(StagedFilesTest, AnotherProcessAtWorkIsLeftAlone)
{
    const auto folder = m_folder / ".m.onnx.duoscope-1";
    std::filesystem::create_directories(folder);
    const HeldPath held(folder);
    ASSERT_TRUE(writeSet(m_folder / "m.onnx"));
    EXPECT_TRUE(std::filesystem::exists(folder));
}

} // namespace
} // namespace duo
