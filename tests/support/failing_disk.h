// SPDX-License-Identifier: Apache-2.0
// FailingDisk: lets the n-th change to the disk fail, and what must hold whatever n is.
#pragma once

#include "core/support/disk.h"
#include "core/support/result.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace duo::test {

enum class DiskTrouble {
    NoSpace, // the step fails with ENOSPC
    IoError, // the step fails with EIO
    ShortWrite, // a write takes half; the others go on
    ShortThenNoSpace, // a write takes half, and what follows of it fails
    Full, // from the step on nothing more fits; renaming and removing go on
    Killed, // from the step on nothing happens any more, after half of it where it is a write
};
inline constexpr DiskTrouble kDiskTroubles[] = {DiskTrouble::NoSpace, DiskTrouble::IoError, DiskTrouble::ShortWrite,
    DiskTrouble::ShortThenNoSpace, DiskTrouble::Full, DiskTrouble::Killed};

class FailingDisk : public DiskFault
{
public:
    FailingDisk(DiskTrouble trouble, int step) // from 1
        : m_trouble(trouble)
        , m_step(step)
        , m_before(setDiskFault(this))
    {
    }
    ~FailingDisk() override { setDiskFault(m_before); }
    FailingDisk(const FailingDisk&) = delete;
    FailingDisk& operator=(const FailingDisk&) = delete;

    int before(DiskStep step, const std::filesystem::path& path, std::size_t& bytes) override;
    [[nodiscard]] bool wasMet() const { return m_taken >= m_step; }
    [[nodiscard]] std::string text() const; // the step that was let fail

private:
    DiskTrouble m_trouble;
    int m_step;
    DiskFault* m_before;
    std::atomic<int> m_taken = 0;
    DiskStep m_met = DiskStep::Write;
    std::filesystem::path m_path;
};

/// What is in a folder, with what is in the folders in it: names and bytes, "/" for a folder. Empty where there is
/// none.
using FolderContent = std::map<std::string, std::string>;
FolderContent contentOf(const std::filesystem::path& folder);

/// Something that writes files into a folder.
struct FaultySubject {
    std::function<void()> prepare; // makes the old files anew, and nothing but them
    std::function<Status()> write;
    std::filesystem::path folder;
    bool isTold = true; // a failure is an error; otherwise the files are left out in silence
};

/// Lets each step of `write` fail in each way, one after the other. After a failure the old files are there and nothing
/// else, and the error is one line about a file that cannot be written. After a kill the same `write` clears up.
/// @return how many faults were met
int expectWholeWhateverFails(const FaultySubject& subject);

} // namespace duo::test
