// SPDX-License-Identifier: Apache-2.0
#include "tests/support/failing_disk.h"

#include "tests/support/file_bytes.h"

#include <array>
#include <cerrno>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

constexpr std::array<const char*, 6> kTroubleTexts{
    "no space", "I/O error", "a short write", "a short write, then no space", "a full disk", "a kill"};
constexpr std::array<const char*, 7> kStepTexts{"make folder", "create", "write", "flush", "link", "rename", "remove"};

bool takesSpace(DiskStep step)
{
    return step != DiskStep::Rename && step != DiskStep::Remove;
}

/// The old files, the new ones, or none of them half.
void expectToldAndWhole(
    const Status& status, const FaultySubject& subject, const FolderContent& before, const FolderContent& after)
{
    const FolderContent now = contentOf(subject.folder);
    if (!status) {
        EXPECT_EQ(now, before) << status.error().line();
        EXPECT_EQ(status.error().code, ErrorCode::NotWritable);
        EXPECT_EQ(status.error().line().rfind("cannot ", 0), 0U) << status.error().line();
        EXPECT_EQ(status.error().line().find('\n'), std::string::npos);
    } else if (subject.isTold) {
        for (const auto& [name, bytes] : after) // a file that could not be removed may lie beside
            EXPECT_EQ(now.count(name) == 0 ? "none" : now.at(name), bytes) << name;
    }
}

/// Never of one file a part, and of what was there before nothing lost: where it is away it is found again.
void expectWholeFiles(const FaultySubject& subject, const FolderContent& before, const FolderContent& after)
{
    for (const auto& [name, bytes] : contentOf(subject.folder)) {
        if (name.find(".duoscope-") != std::string::npos)
            continue;
        const bool isOld = before.count(name) != 0 && before.at(name) == bytes;
        const bool isNew = after.count(name) != 0 && after.at(name) == bytes;
        EXPECT_TRUE(isOld || isNew) << name;
    }
}

} // namespace

int FailingDisk::before(DiskStep step, const std::filesystem::path& path, std::size_t& bytes)
{
    const int now = ++m_taken;
    if (now < m_step)
        return 0;
    if (now == m_step) {
        m_met = step;
        m_path = path;
    }
    const bool isHalved = now == m_step && step == DiskStep::Write && bytes > 1;
    if (isHalved && m_trouble >= DiskTrouble::ShortWrite && m_trouble != DiskTrouble::Full) {
        bytes /= 2;
        return 0;
    }
    switch (m_trouble) {
    case DiskTrouble::NoSpace:
        return now == m_step ? ENOSPC : 0;
    case DiskTrouble::IoError:
        return now == m_step ? EIO : 0;
    case DiskTrouble::ShortWrite:
        return 0;
    case DiskTrouble::ShortThenNoSpace:
        return now == m_step + 1 && m_met == DiskStep::Write ? ENOSPC : 0;
    case DiskTrouble::Full:
        return takesSpace(step) ? ENOSPC : 0;
    case DiskTrouble::Killed:
        return EIO;
    }
    return 0;
}

std::string FailingDisk::text() const
{
    return std::string(kTroubleTexts[static_cast<std::size_t>(m_trouble)]) + " at step " + std::to_string(m_step) + ", "
        + kStepTexts[static_cast<std::size_t>(m_met)] + " " + m_path.string();
}

FolderContent contentOf(const std::filesystem::path& folder)
{
    FolderContent content;
    if (!std::filesystem::exists(folder))
        return content;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        content.emplace(std::filesystem::relative(entry.path(), folder).string(),
            entry.is_directory() ? "/" : bytesOf(entry.path()));
    return content;
}

int expectWholeWhateverFails(const FaultySubject& subject)
{
    constexpr int kMostSteps = 10'000;
    subject.prepare();
    const FolderContent before = contentOf(subject.folder);
    EXPECT_TRUE(subject.write());
    const FolderContent after = contentOf(subject.folder);
    EXPECT_NE(before, after);
    int met = 0;
    for (const DiskTrouble trouble : kDiskTroubles) {
        for (int step = 1; step < kMostSteps && !testing::Test::HasFailure(); ++step) {
            subject.prepare();
            EXPECT_EQ(contentOf(subject.folder), before);
            FailingDisk disk(trouble, step);
            const Status status = subject.write();
            setDiskFault(nullptr);
            if (!disk.wasMet()) {
                EXPECT_TRUE(status);
                break;
            }
            ++met;
            SCOPED_TRACE(disk.text());
            if (trouble != DiskTrouble::Killed)
                expectToldAndWhole(status, subject, before, after);
            EXPECT_TRUE(status || trouble != DiskTrouble::ShortWrite);
            expectWholeFiles(subject, before, after);
            EXPECT_TRUE(subject.write());
            EXPECT_EQ(contentOf(subject.folder), after);
        }
    }
    return met;
}

} // namespace duo::test
