// SPDX-License-Identifier: Apache-2.0
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <fstream>

namespace duo::test {

TemporaryFolder::TemporaryFolder()
{
    std::string name = (std::filesystem::temp_directory_path() / "duoscope-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        std::abort();
    m_path = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

std::filesystem::path TemporaryFolder::write(const std::string& name, std::string_view bytes) const
{
    const auto path = m_path / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream stream(path, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
}

std::string TemporaryFolder::withoutPath(std::string text) const
{
    const std::string path = m_path.string();
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path))
        text.replace(at, path.size(), "DIR");
    return text;
}

} // namespace duo::test
