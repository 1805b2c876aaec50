// SPDX-License-Identifier: Apache-2.0
// Wire: messages and open files between the program and its engine processes, over a socket.
#pragma once

#include "core/support/result.h"

#include <cstdint>
#include <cstring>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace duo {

/// An open file, closed at its end.
class Descriptor
{
public:
    Descriptor() = default;
    explicit Descriptor(int number)
        : m_number(number)
    {
    }
    Descriptor(Descriptor&& other) noexcept
        : m_number(std::exchange(other.m_number, -1))
    {
    }
    Descriptor& operator=(Descriptor&& other) noexcept
    {
        std::swap(m_number, other.m_number);
        return *this;
    }
    ~Descriptor();

    [[nodiscard]] bool valid() const { return m_number >= 0; }
    [[nodiscard]] int number() const { return m_number; }

private:
    int m_number = -1;
};

/// The body of a message, written piece by piece.
class WireWriter
{
public:
    template <typename T> WireWriter& number(T value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
        return *this;
    }
    WireWriter& text(std::string_view text)
    {
        number(static_cast<std::uint64_t>(text.size()));
        m_bytes.append(text);
        return *this;
    }
    /// `write` is given one after the other.
    template <typename List, typename Write> WireWriter& list(const List& items, const Write& write)
    {
        number(static_cast<std::uint64_t>(items.size()));
        for (const auto& item : items)
            write(item);
        return *this;
    }
    WireWriter& dims(std::span<const std::int64_t> dims)
    {
        return list(dims, [this](std::int64_t dim) { number(dim); });
    }
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

/// The same read. What is not there reads as nothing, and makes the reader broken.
class WireReader
{
public:
    explicit WireReader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }
    template <typename T> T number()
    {
        static_assert(std::is_trivially_copyable_v<T>);
        if constexpr (std::is_same_v<T, bool>)
            return number<std::uint8_t>() != 0; // a bool of another byte is none
        T value{};
        const std::string_view piece = take(sizeof value);
        if (piece.size() == sizeof value)
            std::memcpy(&value, piece.data(), sizeof value);
        return value;
    }
    std::string text() { return std::string(take(number<std::uint64_t>())); }
    /// `read` is called once for each.
    template <typename Read> void list(const Read& read)
    {
        const auto count = number<std::uint64_t>();
        for (std::uint64_t i = 0; i < count && !m_isBroken; ++i)
            read();
    }
    std::vector<std::int64_t> dims()
    {
        std::vector<std::int64_t> dims;
        list([&] { dims.push_back(number<std::int64_t>()); });
        return dims;
    }
    [[nodiscard]] bool isBroken() const { return m_isBroken; }

private:
    std::string_view take(std::uint64_t size)
    {
        m_isBroken = m_isBroken || size > m_bytes.size();
        if (m_isBroken)
            return {};
        const std::string_view piece = m_bytes.substr(0, size);
        m_bytes.remove_prefix(size);
        return piece;
    }

    std::string_view m_bytes;
    bool m_isBroken = false;
};

struct WireMessage {
    std::uint32_t kind = 0;
    std::string body;
    std::vector<Descriptor> files;
};

/// One end of a socket. One thread sends and one receives at a time.
class Wire
{
public:
    Wire() = default;
    explicit Wire(Descriptor socket)
        : m_socket(std::move(socket))
    {
    }
    /// Two ends, which programs started later do not inherit. @return EngineFailed with the system's reason
    static Result<std::pair<Wire, Wire>> pair();

    /// @param files at most 8. @return false where nobody listens any more
    bool send(std::uint32_t kind, std::string_view body, std::span<const int> files = {});

    enum class Got { Message, Nothing, End };
    /// Waits for a message, at most as long as limitWaiting() said.
    Got receive(WireMessage& message);
    void limitWaiting(int milliseconds);

    [[nodiscard]] int number() const { return m_socket.number(); }

private:
    bool takeMessage(WireMessage& message);
    Got fill();

    Descriptor m_socket;
    std::string m_received;
    std::deque<Descriptor> m_files;
    bool m_isBroken = false; // what came is no message
};

/// An error as a piece of a message.
void writeError(WireWriter& writer, const Error& error);
Error readError(WireReader& reader);
void writeStatus(WireWriter& writer, const Status& status);
/// @return what was sent, or unreadableAnswer()
Status readStatus(WireReader& reader);
Error unreadableAnswer(); // EngineFailed

} // namespace duo
