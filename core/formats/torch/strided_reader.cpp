// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/strided_reader.h"

#include <cstring>

namespace duo {

StridedReader::StridedReader(std::span<const std::byte> storage, std::int64_t start, std::vector<std::int64_t> dims,
    std::vector<std::int64_t> strides, std::size_t elementBytes)
    : m_storage(storage)
    , m_position(start)
    , m_dims(std::move(dims))
    , m_strides(std::move(strides))
    , m_index(m_dims.size())
    , m_elementBytes(elementBytes)
{
}

void StridedReader::advance()
{
    for (std::size_t axis = m_dims.size(); axis > 0; --axis) {
        const std::size_t i = axis - 1;
        m_position += m_strides[i];
        if (++m_index[i] < m_dims[i])
            return;
        m_position -= m_strides[i] * m_dims[i];
        m_index[i] = 0;
    }
}

template <std::size_t Bytes> void StridedReader::copy(std::span<std::byte> target)
{
    for (std::size_t at = 0; at < target.size(); at += Bytes) {
        std::memcpy(target.data() + at, m_storage.data() + m_position, Bytes);
        advance();
    }
}

void StridedReader::next(std::span<std::byte> target)
{
    switch (m_elementBytes) { // a copy of known length is one instruction
    case 1:
        return copy<1>(target);
    case 2:
        return copy<2>(target);
    case 4:
        return copy<4>(target);
    case 8:
        return copy<8>(target);
    default:
        return copy<16>(target);
    }
}

} // namespace duo
