// SPDX-License-Identifier: Apache-2.0
#include "tests/support/numpy_files.h"

#include <cstdlib>

#include <zip.h>

namespace duo::test {

std::string npyWithHeader(const std::string& dictionary, const std::string& data)
{
    std::string header = dictionary;
    while ((10 + header.size() + 1) % 64 != 0)
        header += ' ';
    header += '\n';
    std::string file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() & 0xFFU);
    file += static_cast<char>(header.size() >> 8U);
    return file + header + data;
}

std::string npyDictionary(const std::string& descr, const std::vector<std::int64_t>& shape)
{
    std::string dims;
    for (const std::int64_t dim : shape)
        dims += std::to_string(dim) + ", ";
    return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + dims + "), }";
}

std::string npyRange(const std::vector<std::int64_t>& shape)
{
    std::int64_t count = 1;
    for (const std::int64_t dim : shape)
        count *= dim;
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i);
    return npy(shape, values);
}

void writeNpz(
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
