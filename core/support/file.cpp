// SPDX-License-Identifier: Apache-2.0
#include "core/support/file.h"

#include "core/support/disk.h"
#include "core/support/leftovers.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <streambuf>
#include <unordered_map>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace duo {
namespace {

namespace fs = std::filesystem;

Error notReadable(const fs::path& path, int reason)
{
    return {ErrorCode::FileNotReadable, "cannot read file", path.empty() ? "''" : path.string(),
        std::generic_category().message(reason)};
}

/// What is written goes to the file in pieces of at least this many bytes.
constexpr std::size_t kPieceBytes = 1 << 16;

class FileBuffer : public std::streambuf
{
public:
    explicit FileBuffer(NewFile& file)
        : m_file(file)
        , m_waiting(kPieceBytes)
    {
        clear();
    }

protected:
    int_type overflow(int_type c) override
    {
        if (sync() != 0)
            return traits_type::eof();
        return traits_type::eq_int_type(c, traits_type::eof()) ? traits_type::not_eof(c)
                                                               : sputc(traits_type::to_char_type(c));
    }

    std::streamsize xsputn(const char* text, std::streamsize size) override
    {
        if (size < epptr() - pptr())
            return std::streambuf::xsputn(text, size);
        if (sync() != 0)
            return 0;
        m_file.write(std::as_bytes(std::span(text, static_cast<std::size_t>(size))));
        return m_file.error() ? 0 : size;
    }

    int sync() override
    {
        m_file.write(std::as_bytes(std::span(pbase(), static_cast<std::size_t>(pptr() - pbase()))));
        clear();
        return m_file.error() ? -1 : 0;
    }

private:
    void clear() { setp(m_waiting.data(), m_waiting.data() + m_waiting.size()); }

    NewFile& m_file;
    std::vector<char> m_waiting;
};

/// All of it, until it has reached the disk.
Status writeNew(const fs::path& temporary, const fs::path& target, const std::function<Status(std::ostream&)>& write)
{
    NewFile file(temporary);
    if (file.error())
        return notWritable(target, file.error());
    FileBuffer buffer(file);
    std::ostream stream(&buffer);
    DUO_CHECK(write(stream));
    stream.flush();
    file.flush();
    if (file.error() || !stream)
        return notWritable(target, file.error() ? file.error() : std::make_error_code(std::errc::io_error));
    return success();
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

/// All files that are open: what a stage read, it read of one of them.
struct OpenNow {
    std::mutex mutex;
    std::uint64_t opened = 0; // so far
    using Numbered = std::unordered_map<const MappedFile*, std::uint64_t>; // and which they were of those opened
    Numbered copied; // which lose nothing
    Numbered mapped;

    void add(const MappedFile* file, Numbered OpenNow::*kind)
    {
        const std::lock_guard lock(mutex);
        (this->*kind).emplace(file, ++opened);
    }

    void remove(const MappedFile* file, Numbered OpenNow::*kind)
    {
        const std::lock_guard lock(mutex);
        (this->*kind).erase(file);
    }

    /// Whether a file was read again since, as it is now: who did so knows that it had changed.
    [[nodiscard]] bool isReadAgain(const MappedFile* file, std::uint64_t number) const
    {
        const auto isLater = [&](const auto& other) {
            return other.second > number && other.first->path() == file->path() && other.first->checkWhole();
        };
        return std::ranges::any_of(mapped, isLater) || std::ranges::any_of(copied, isLater);
    }

    static OpenNow& get()
    {
        static OpenNow now;
        return now;
    }
};

/// Renaming would put a file in the place of a device, a pipe or a socket, and who may do that loses /dev/null.
Status checkIsNoDevice(const fs::path& target)
{
    std::error_code unknown;
    const fs::file_status found = fs::status(target, unknown);
    if (unknown == std::errc::too_many_symbolic_link_levels || unknown == std::errc::filename_too_long)
        return notWritable(target, unknown);
    if (fs::exists(found) && !fs::is_regular_file(found) && !fs::is_directory(found))
        return Error{ErrorCode::NotWritable, "the output is there and is no file", target.string(), "name a file"};
    return success();
}

} // namespace

MappedFile::MappedFile(fs::path path, std::vector<std::byte> copy)
    : m_path(std::move(path))
    , m_copy(std::move(copy))
    , m_data(m_copy.data())
    , m_size(m_copy.size())
    , m_guard(nullptr, 0)
{
    OpenNow::get().add(this, &OpenNow::copied);
}

MappedFile::MappedFile(std::filesystem::path path, FileStamp stamp, const std::byte* data, std::size_t size)
    : m_path(std::move(path))
    , m_stamp(stamp)
    , m_data(data)
    , m_size(size)
    , m_guard(data, size)
{
    OpenNow::get().add(this, &OpenNow::mapped);
}

MappedFile::~MappedFile()
{
    OpenNow::get().remove(this, m_stamp.exists() ? &OpenNow::mapped : &OpenNow::copied);
    if (m_stamp.exists())
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
    OpenNow& now = OpenNow::get();
    const std::lock_guard lock(now.mutex);
    for (const auto& [file, number] : now.mapped) {
        Status whole = file->checkWhole();
        if (!whole && !now.isReadAgain(file, number))
            return whole;
    }
    return success();
}

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const fs::path& path)
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

Error notWritable(const fs::path& target, const std::error_code& reason)
{
    return {ErrorCode::NotWritable, "cannot write file", finalPlaceOf(target).string(), reason.message()};
}

Status writeFileAtomically(const fs::path& target, const std::function<Status(std::ostream&)>& write)
{
    DUO_CHECK(checkIsNoDevice(target));
    dropLeftovers(target.parent_path(), target.filename().string());
    const fs::path temporary = temporaryFor(target);
    Status status = writeNew(temporary, target, write);
    if (status) {
        const std::error_code error = renameFile(temporary, target);
        if (!error) {
            flushFolder(target.parent_path()); // it is there already, whatever comes of this
            return success();
        }
        status = notWritable(target, error);
    }
    removeFile(temporary);
    return status;
}

bool isSameFile(const fs::path& a, const fs::path& b)
{
    std::error_code failed;
    if (fs::equivalent(a, b, failed) && !failed)
        return true;
    const fs::path one = fs::weakly_canonical(a, failed);
    const fs::path other = failed ? fs::path() : fs::weakly_canonical(b, failed);
    return !failed && one == other; // links in a circle and names that are too long are no file's
}

Status checkWritable(const fs::path& target)
{
    DUO_CHECK(checkIsNoDevice(target));
    std::error_code ignored;
    if (fs::is_directory(target, ignored))
        return notWritable(target, systemError(EISDIR));
    const auto folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored))
        return notWritable(target, systemError(fs::exists(folder, ignored) ? ENOTDIR : ENOENT));
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return notWritable(target, systemError(errno));
    return success();
}

Result<std::string> readTextFile(const fs::path& path, std::size_t limit)
{
    DUO_TRY(file, MappedFile::open(path));
    const auto bytes = file->bytes();
    if (bytes.size() > limit)
        return Error{ErrorCode::BadData, "file is too large", path.string(),
            "at most " + std::to_string(limit) + " bytes are read"};
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

} // namespace duo
