// SPDX-License-Identifier: Apache-2.0
// What tests of checkpoints share: checked-in files, and torch.save archives written down in the test.
#pragma once

#include "core/formats/read_checkpoint.h"

#include "tests/core/formats/checkpoint_text.h"
#include "tests/support/pickle_text.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {

class CheckpointFixture : public testing::Test
{
protected:
    using Members = std::vector<std::pair<std::string, std::string>>;

    [[nodiscard]] static std::filesystem::path dataFile(const std::string& name)
    {
        return std::filesystem::path(DUO_TEST_DATA) / "checkpoints" / name;
    }
    /// A checked-in file; fails the test if it cannot be read.
    [[nodiscard]] static std::shared_ptr<const Checkpoint> readData(const std::string& name)
    {
        const auto checkpoint = readCheckpoint(dataFile(name));
        EXPECT_TRUE(checkpoint) << checkpoint.error().line();
        return checkpoint ? *checkpoint : std::make_shared<const Checkpoint>();
    }
    /// "no error", or the line with the test's folder as DIR.
    [[nodiscard]] std::string readError(const std::filesystem::path& path) const
    {
        const auto checkpoint = readCheckpoint(path);
        return checkpoint ? "no error" : m_folder.withoutPath(checkpoint.error().line());
    }
    /// A torch.save archive of a pickled value and a storage of four floats; more members may follow.
    [[nodiscard]] std::filesystem::path torchSave(
        const std::string& value, const Members& more = {}, Packing packing = Packing::Stored) const
    {
        Members members = {{"a/data.pkl", pickle::whole(value)}, {"a/data/0", std::string(16, '\0')}};
        members.insert(members.end(), more.begin(), more.end());
        writeZip(m_folder / "a.pth", members, packing);
        return m_folder / "a.pth";
    }

    TemporaryFolder m_folder;
};

} // namespace duo::test
