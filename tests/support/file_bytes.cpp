// SPDX-License-Identifier: Apache-2.0
#include "tests/support/file_bytes.h"

#include <fstream>
#include <iterator>

namespace duo::test {

std::string bytesOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace duo::test
