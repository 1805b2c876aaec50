// SPDX-License-Identifier: Apache-2.0
// TemporaryFolder: a folder of a test's own, gone with it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace duo::test {

class TemporaryFolder
{
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
    /// Writes a file, with the folders it needs. @return its path
    std::filesystem::path write(const std::string& name, std::string_view bytes) const;
    /// `text` with this folder's path replaced by "DIR", for comparing messages.
    [[nodiscard]] std::string withoutPath(std::string text) const;

private:
    std::filesystem::path m_path;
};

} // namespace duo::test
