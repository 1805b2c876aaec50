// SPDX-License-Identifier: Apache-2.0
#include "core/engine/wire.h"

#include <array>
#include <cerrno>

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace duo {
namespace {

constexpr std::size_t kMostFiles = 8; // of one message
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30U; // of one message

struct Header {
    std::uint32_t kind = 0;
    std::uint32_t files = 0;
    std::uint64_t bytes = 0;
};

/// Room for the files of a message, as the socket's interface wants it.
using FileRoom = std::array<char, CMSG_SPACE(kMostFiles * sizeof(int))>;

void attach(msghdr& message, FileRoom& room, std::span<const int> files)
{
    if (files.empty())
        return;
    message.msg_control = room.data();
    message.msg_controllen = CMSG_SPACE(files.size_bytes());
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(files.size_bytes());
    std::memcpy(CMSG_DATA(header), files.data(), files.size_bytes());
}

void takeFiles(msghdr& message, std::deque<Descriptor>& files)
{
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int number = -1;
            std::memcpy(&number, CMSG_DATA(header) + i * sizeof(int), sizeof number);
            files.emplace_back(number);
        }
    }
}

} // namespace

Descriptor::~Descriptor()
{
    if (m_number >= 0)
        ::close(m_number);
}

Result<std::pair<Wire, Wire>> Wire::pair()
{
    std::array<int, 2> sockets{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0)
        return Error{ErrorCode::EngineFailed, "the engine cannot be talked to", {},
            errno == EMFILE ? "too many files are open: raise the limit (ulimit -n)" : std::strerror(errno)};
    return std::pair(Wire(Descriptor(sockets[0])), Wire(Descriptor(sockets[1])));
}

bool Wire::send(std::uint32_t kind, std::string_view body, std::span<const int> files)
{
    Header header{kind, static_cast<std::uint32_t>(files.size()), body.size()};
    std::array<iovec, 2> pieces{iovec{&header, sizeof header}, iovec{const_cast<char*>(body.data()), body.size()}};
    FileRoom room{};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = pieces.size();
    attach(message, room, files);
    ssize_t sent = 0;
    while ((sent = ::sendmsg(m_socket.number(), &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) { }
    if (sent < static_cast<ssize_t>(sizeof header)) // a socket takes so few bytes whole
        return false;
    body.remove_prefix(static_cast<std::size_t>(sent) - sizeof header);
    while (!body.empty()) {
        sent = ::send(m_socket.number(), body.data(), body.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        body.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
    }
    return true;
}

bool Wire::takeMessage(WireMessage& message)
{
    Header header;
    if (m_received.size() < sizeof header)
        return false;
    std::memcpy(&header, m_received.data(), sizeof header);
    m_isBroken = header.files > kMostFiles || header.bytes > kMostBytes;
    const std::size_t whole = sizeof header + header.bytes;
    if (m_isBroken || m_received.size() < whole)
        return false;
    m_isBroken = m_files.size() < header.files;
    if (m_isBroken)
        return false;
    message.kind = header.kind;
    message.body.assign(m_received, sizeof header, header.bytes);
    m_received.erase(0, whole);
    message.files.clear();
    for (; header.files > 0; --header.files) {
        message.files.push_back(std::move(m_files.front()));
        m_files.pop_front();
    }
    return true;
}

Wire::Got Wire::fill()
{
    std::array<char, std::size_t{1} << 14U> piece; // NOLINT: it is written before it is read
    iovec bytes{piece.data(), piece.size()};
    FileRoom room;
    msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = room.data();
    message.msg_controllen = room.size();
    const ssize_t count = ::recvmsg(m_socket.number(), &message, MSG_CMSG_CLOEXEC);
    if (count < 0)
        return errno == EAGAIN || errno == EINTR ? Got::Nothing : Got::End;
    takeFiles(message, m_files);
    m_received.append(piece.data(), static_cast<std::size_t>(count));
    return count == 0 ? Got::End : Got::Message;
}

Wire::Got Wire::receive(WireMessage& message)
{
    while (!takeMessage(message)) {
        const Got got = m_isBroken ? Got::End : fill();
        if (got != Got::Message)
            return got;
    }
    return Got::Message;
}

void Wire::limitWaiting(int milliseconds)
{
    const timeval limit{.tv_sec = milliseconds / 1000, .tv_usec = (milliseconds % 1000) * 1000};
    ::setsockopt(m_socket.number(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

void writeError(WireWriter& writer, const Error& error)
{
    writer.number(error.code).number(error.remedy).text(error.what).text(error.where).text(error.whatToDo);
}

Error readError(WireReader& reader)
{
    Error error;
    error.code = reader.number<ErrorCode>();
    error.remedy = reader.number<Remedy>();
    error.what = reader.text();
    error.where = reader.text();
    error.whatToDo = reader.text();
    return error;
}

Error unreadableAnswer()
{
    return {ErrorCode::EngineFailed, "the engine's answer cannot be read", {}, {}};
}

void writeStatus(WireWriter& writer, const Status& status)
{
    writer.number(status.hasValue());
    if (!status)
        writeError(writer, status.error());
}

Status readStatus(WireReader& reader)
{
    if (reader.number<bool>())
        return success();
    Error error = readError(reader);
    if (reader.isBroken() || error.what.empty() || error.code > ErrorCode::Internal)
        return unreadableAnswer();
    return error;
}

} // namespace duo
