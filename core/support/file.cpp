// SPDX-License-Identifier: Apache-2.0
#include "core/support/file.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <system_error>
#include <unordered_set>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace duo {
namespace {

Error notReadable(const std::filesystem::path& path, int reason)
{
    return {ErrorCode::FileNotReadable, "cannot read file", path.string(), std::generic_category().message(reason)};
}

Error notWritable(const std::filesystem::path& path, int reason)
{
    return {ErrorCode::NotWritable, "cannot write file", path.string(), std::generic_category().message(reason)};
}

/// Renames only what has reached the disk: a rename before the data would replace the old file by nothing on a crash.
bool flushToDisk(const std::filesystem::path& path)
{
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    const bool flushed = ::fsync(fd) == 0;
    ::close(fd);
    return flushed;
}

constexpr std::size_t kCopiedBytes = std::size_t{256} << 10U; // up to here a copy costs no more than a mapping

struct Descriptor {
    explicit Descriptor(int opened)
        : fd(opened)
    {
    }
    ~Descriptor()
    {
        if (fd >= 0)
            ::close(fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    const int fd;
};

Result<std::vector<std::byte>> readAll(int fd, std::size_t size, const std::filesystem::path& path)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t at = 0; at < size;) {
        const ssize_t taken = ::pread(fd, bytes.data() + at, size - at, static_cast<off_t>(at));
        if (taken < 0 && errno == EINTR)
            continue;
        if (taken < 0)
            return notReadable(path, errno);
        if (taken == 0)
            return Error{ErrorCode::FileNotReadable, "the file lost its end while it was read", path.string(),
                "copy or download it again"};
        at += static_cast<std::size_t>(taken);
    }
    return bytes;
}

/// All mappings that live: what a stage read, it read of one of them.
struct MappedNow {
    std::mutex mutex;
    std::unordered_set<const MappedFile*> files;

    static MappedNow& get()
    {
        static MappedNow now;
        return now;
    }
};

} // namespace

MappedFile::MappedFile(std::filesystem::path path, std::vector<std::byte> copy)
    : m_path(std::move(path))
    , m_copy(std::move(copy))
    , m_data(m_copy.data())
    , m_size(m_copy.size())
    , m_guard(nullptr, 0)
{
}

MappedFile::MappedFile(std::filesystem::path path, FileStamp stamp, const std::byte* data, std::size_t size)
    : m_path(std::move(path))
    , m_stamp(stamp)
    , m_data(data)
    , m_size(size)
    , m_guard(data, size)
{
    const std::lock_guard lock(MappedNow::get().mutex);
    MappedNow::get().files.insert(this);
}

MappedFile::~MappedFile()
{
    if (!m_stamp.exists())
        return;
    {
        const std::lock_guard lock(MappedNow::get().mutex);
        MappedNow::get().files.erase(this);
    }
    ::munmap(const_cast<std::byte*>(m_data), m_size);
}

void MappedFile::dropPages() const
{
    if (m_stamp.exists()) // nothing is lost: the mapping is never written to
        ::madvise(const_cast<std::byte*>(m_data), m_size, MADV_DONTNEED);
}

Status MappedFile::checkWhole() const
{
    if (!m_stamp.exists())
        return success();
    const FileStamp now = stampOf(m_path);
    const bool isSame = now.inode == m_stamp.inode; // else the one that was opened lies elsewhere, as it was
    if (m_guard.hasLostPages() || (isSame && now.bytes < m_stamp.bytes))
        return Error{ErrorCode::FileNotReadable, "the file lost its end, or its drive, while it was open",
            m_path.string(), "copy or download it again, then open it again"};
    if (isSame && !now.isSameContent(m_stamp))
        return Error{
            ErrorCode::FileNotReadable, "the file was written to while it was open", m_path.string(), "open it again"};
    return success();
}

Status checkMappedFiles()
{
    const std::lock_guard lock(MappedNow::get().mutex);
    for (const MappedFile* file : MappedNow::get().files)
        DUO_CHECK(file->checkWhole());
    return success();
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path)
{
    // O_NONBLOCK: opening a FIFO must not hang before fstat can refuse it.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.fd < 0)
        return notReadable(path, errno);
    struct stat status {
    };
    if (::fstat(file.fd, &status) != 0 || !S_ISREG(status.st_mode))
        return Error{ErrorCode::FileNotReadable, "not a regular file", path.string(), "name a file"};
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size <= kCopiedBytes) {
        DUO_TRY(copy, readAll(file.fd, size, path));
        return std::shared_ptr<const MappedFile>(new MappedFile(path, std::move(copy)));
    }
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
    if (data == MAP_FAILED)
        return notReadable(path, errno);
    return std::shared_ptr<const MappedFile>(
        new MappedFile(path, stampOf(status), static_cast<const std::byte*>(data), size));
}

std::filesystem::path temporaryFor(const std::filesystem::path& target)
{
    auto temporary = target;
    temporary += ".part" + std::to_string(::getpid());
    return temporary;
}

Status writeFileAtomically(const std::filesystem::path& target, const std::function<Status(std::ostream&)>& write)
{
    const auto temporary = temporaryFor(target);
    std::error_code ignored;
    const auto fail = [&](Error error) {
        std::filesystem::remove(temporary, ignored);
        return error;
    };
    {
        errno = 0;
        std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
        if (!stream)
            return notWritable(target, errno == 0 ? EIO : errno);
        errno = 0;
        if (Status status = write(stream); !status)
            return fail(status.error());
        if (stream)
            errno = 0; // what is not written yet fails on closing
        stream.close();
        if (!stream)
            return fail(notWritable(target, errno == 0 ? EIO : errno));
    }
    if (!flushToDisk(temporary))
        return fail(notWritable(target, errno));
    std::error_code renamed;
    std::filesystem::rename(temporary, target, renamed);
    if (renamed)
        return fail(notWritable(target, renamed.value()));
    return success();
}

bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b)
{
    std::error_code failed;
    if (std::filesystem::equivalent(a, b, failed) && !failed)
        return true;
    return std::filesystem::weakly_canonical(a, failed) == std::filesystem::weakly_canonical(b, failed);
}

Status checkWritable(const std::filesystem::path& target)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(target, ignored))
        return notWritable(target, EISDIR);
    const auto folder = target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
    if (!std::filesystem::is_directory(folder, ignored))
        return notWritable(target, std::filesystem::exists(folder, ignored) ? ENOTDIR : ENOENT);
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return notWritable(target, errno);
    return success();
}

Result<std::string> readTextFile(const std::filesystem::path& path, std::size_t limit)
{
    DUO_TRY(file, MappedFile::open(path));
    const auto bytes = file->bytes();
    if (bytes.size() > limit)
        return Error{ErrorCode::BadData, "file is too large", path.string(),
            "at most " + std::to_string(limit) + " bytes are read"};
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

} // namespace duo
