// SPDX-License-Identifier: Apache-2.0
#include "tests/support/zip_file.h"

#include <cstdlib>

#include <zip.h>

namespace duo::test {

void writeZip(
    const std::filesystem::path& path, const std::vector<std::pair<std::string, std::string>>& members, Packing packing)
{
    zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    for (const auto& [name, bytes] : members) {
        zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
        const zip_int64_t index = zip_file_add(archive, name.c_str(), source, 0);
        const auto method = packing == Packing::Deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE;
        if (index < 0 || zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), method, 0) != 0)
            std::abort();
    }
    if (zip_close(archive) != 0)
        std::abort();
}

} // namespace duo::test
