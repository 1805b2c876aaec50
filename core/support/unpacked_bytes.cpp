// SPDX-License-Identifier: Apache-2.0
#include "core/support/unpacked_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include <sys/mman.h>

namespace duo {
namespace {

constexpr std::int64_t kPiece = 1 << 20; // bytes

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

Error temporaryFailed()
{
    return {ErrorCode::NotWritable, "cannot write a temporary file", "unpacking an archive",
        std::generic_category().message(errno)};
}

template <typename Take>
Status readPieces(std::int64_t size, const std::function<Status(std::span<std::byte>)>& readNext, const JobContext& job,
    const Take& take)
{
    std::vector<std::byte> piece;
    for (std::int64_t done = 0; done < size; done += kPiece) {
        if (job.stopped())
            return cancelledError();
        piece.resize(static_cast<std::size_t>(std::min(kPiece, size - done)));
        DUO_CHECK(readNext(piece));
        DUO_CHECK(take(piece));
    }
    return success();
}

Result<SharedBytes> mapped(std::FILE* file, std::int64_t size)
{
    const auto length = static_cast<std::size_t>(size);
    void* data = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, ::fileno(file), 0);
    if (data == MAP_FAILED)
        return temporaryFailed();
    const std::shared_ptr<const void> owner(data, [length](void* start) { ::munmap(start, length); });
    return SharedBytes{owner, {static_cast<const std::byte*>(data), length}};
}

} // namespace

Result<SharedBytes> unpackBytes(std::int64_t size, bool intoFile,
    const std::function<Status(std::span<std::byte>)>& readNext, const JobContext& job)
{
    if (!intoFile || size == 0) {
        std::vector<std::byte> bytes;
        const auto append = [&](std::span<const std::byte> piece) -> Status {
            bytes.insert(bytes.end(), piece.begin(), piece.end());
            return success();
        };
        DUO_CHECK(readPieces(size, readNext, job, append));
        return SharedBytes::own(std::move(bytes));
    }
    const std::unique_ptr<std::FILE, CloseFile> file(std::tmpfile());
    if (file == nullptr)
        return temporaryFailed();
    const auto write = [&](std::span<const std::byte> piece) -> Status {
        if (std::fwrite(piece.data(), 1, piece.size(), file.get()) != piece.size())
            return temporaryFailed();
        return success();
    };
    DUO_CHECK(readPieces(size, readNext, job, write));
    if (std::fflush(file.get()) != 0)
        return temporaryFailed();
    return mapped(file.get(), size);
}

} // namespace duo
