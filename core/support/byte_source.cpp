// SPDX-License-Identifier: Apache-2.0
#include "core/support/byte_source.h"

#include <algorithm>
#include <cstring>

namespace duo {

ByteSource::ByteSource(std::span<const std::byte> bytes)
    : m_bytes(bytes)
{
    zip_error_init(&m_error);
}

ByteSource::~ByteSource()
{
    zip_error_fini(&m_error);
}

zip_source_t* ByteSource::make(zip_error_t* error)
{
    return zip_source_function_create(&ByteSource::answer, this, error);
}

std::optional<std::size_t> ByteSource::lastRead(std::size_t length) const
{
    return m_lastLength == length ? std::optional(m_lastOffset) : std::nullopt;
}

zip_int64_t ByteSource::answer(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command)
{
    auto& source = *static_cast<ByteSource*>(self);
    switch (command) {
    case ZIP_SOURCE_OPEN:
        source.m_position = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return source.read(data, length);
    case ZIP_SOURCE_SEEK:
        return source.seek(data, length);
    case ZIP_SOURCE_TELL:
        return static_cast<zip_int64_t>(source.m_position);
    case ZIP_SOURCE_STAT:
        return source.describe(data);
    case ZIP_SOURCE_ERROR:
        return zip_error_to_data(&source.m_error, data, length);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_SUPPORTS:
        return zip_source_make_command_bitmap(ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT,
            ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
    default:
        zip_error_set(&source.m_error, ZIP_ER_OPNOTSUPP, 0);
        return -1;
    }
}

zip_int64_t ByteSource::read(void* target, std::size_t length)
{
    const std::size_t taken = std::min(length, m_bytes.size() - m_position);
    if (taken > 0)
        std::memcpy(target, m_bytes.data() + m_position, taken);
    m_lastOffset = m_position;
    m_lastLength = length;
    m_position += taken;
    return static_cast<zip_int64_t>(taken);
}

zip_int64_t ByteSource::seek(void* data, std::size_t length)
{
    const zip_int64_t position = zip_source_seek_compute_offset(m_position, m_bytes.size(), data, length, &m_error);
    if (position < 0)
        return -1;
    m_position = static_cast<std::size_t>(position);
    return 0;
}

zip_int64_t ByteSource::describe(void* target)
{
    auto* stat = static_cast<zip_stat_t*>(target);
    zip_stat_init(stat);
    stat->size = m_bytes.size();
    stat->comp_size = m_bytes.size();
    stat->comp_method = ZIP_CM_STORE;
    stat->encryption_method = ZIP_EM_NONE;
    stat->valid = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD;
    return sizeof(*stat);
}

} // namespace duo
