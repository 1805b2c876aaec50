// SPDX-License-Identifier: Apache-2.0
// StridedReader: the elements of a strided view in row-major order, piece after piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace duo {

/// The caller has checked that every element lies inside the storage.
class StridedReader
{
public:
    /// @param start offset of the first element in bytes; `strides` [rank] in bytes, >= 0; `dims` [rank] > 0
    StridedReader(std::span<const std::byte> storage, std::int64_t start, std::vector<std::int64_t> dims,
        std::vector<std::int64_t> strides, std::size_t elementBytes);

    /// Fills `target`, a multiple of elementBytes long; not beyond the last element.
    void next(std::span<std::byte> target);

private:
    template <std::size_t Bytes> void copy(std::span<std::byte> target);
    void advance();

    std::span<const std::byte> m_storage;
    std::int64_t m_position;
    std::vector<std::int64_t> m_dims;
    std::vector<std::int64_t> m_strides;
    std::vector<std::int64_t> m_index;
    std::size_t m_elementBytes;
};

} // namespace duo
