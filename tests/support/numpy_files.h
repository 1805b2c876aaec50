// SPDX-License-Identifier: Apache-2.0
// Bytes of .npy files and .npz archives as NumPy writes them.
#pragma once

#include "tests/support/zip_file.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace duo::test {

/// A .npy file of version 1 with the given dictionary.
std::string npyWithHeader(const std::string& dictionary, const std::string& data);

/// The dictionary NumPy writes: "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".
std::string npyDictionary(const std::string& descr, const std::vector<std::int64_t>& shape);

template <typename T> std::string npy(const std::vector<std::int64_t>& shape, const std::vector<T>& values)
{
    const char* const kind = std::is_floating_point_v<T> ? "<f" : std::is_signed_v<T> ? "<i" : "<u";
    const std::string data(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    return npyWithHeader(npyDictionary(kind + std::to_string(sizeof(T)), shape), data);
}

/// 0, 1, 2, ... in the given shape.
std::string npyRange(const std::vector<std::int64_t>& shape);

/// An archive of `members` (name with ".npy", bytes).
inline void writeNpz(const std::filesystem::path& path, const std::vector<std::pair<std::string, std::string>>& members,
    Packing packing = Packing::Stored)
{
    writeZip(path, members, packing);
}

} // namespace duo::test
