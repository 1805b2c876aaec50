// SPDX-License-Identifier: Apache-2.0
#include "tests/support/numpy_files.h"

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

} // namespace duo::test
