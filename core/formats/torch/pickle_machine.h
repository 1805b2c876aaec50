// SPDX-License-Identifier: Apache-2.0
// PickleMachine: the stack, the marks and the memo of the pickle format; it builds descriptions only.
#pragma once

#include "core/formats/torch/pickle.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {

/// Little-endian numbers, counted bytes and lines, one after the other.
/// Every take gives nothing, and moves nothing, where fewer bytes are left than it needs.
class ByteCursor
{
public:
    explicit ByteCursor(std::span<const std::byte> bytes)
        : m_bytes(bytes)
    {
    }
    [[nodiscard]] std::size_t position() const { return m_position; }

    std::optional<std::string_view> take(std::uint64_t count)
    {
        if (count > m_bytes.size() - m_position)
            return std::nullopt;
        const auto* start = reinterpret_cast<const char*>(m_bytes.data() + m_position);
        m_position += static_cast<std::size_t>(count);
        return std::string_view(start, static_cast<std::size_t>(count));
    }
    /// An unsigned number of 1 to 8 bytes.
    std::optional<std::uint64_t> number(unsigned width)
    {
        const auto bytes = take(width);
        if (!bytes)
            return std::nullopt;
        std::uint64_t value = 0;
        for (unsigned i = 0; i < width; ++i)
            value |= static_cast<std::uint64_t>(static_cast<unsigned char>((*bytes)[i])) << (8U * i);
        return value;
    }
    /// Up to the next line feed, which is taken too.
    std::optional<std::string_view> line()
    {
        const auto rest = m_bytes.subspan(m_position);
        const auto end = std::ranges::find(rest, std::byte{'\n'});
        if (end == rest.end())
            return std::nullopt;
        const auto length = static_cast<std::size_t>(end - rest.begin());
        const auto text = take(length + 1);
        return text->substr(0, length);
    }

private:
    std::span<const std::byte> m_bytes;
    std::size_t m_position = 0;
};

/// One use: run, then takeResult. Python's pickletools.py documents the opcodes.
class PickleMachine
{
public:
    PickleMachine(SharedBytes bytes, std::string where);
    /// @return as Pickle::parse
    Status run(const JobContext& job);
    /// After a successful run.
    Pickle takeResult() && { return std::move(m_result); }

private:
    enum class Step { Unknown, Done, Stop };
    Result<Step> step(std::uint8_t opcode);
    Result<Step> frame(std::uint8_t opcode);
    Result<Step> literal(std::uint8_t opcode);
    Result<Step> counted(std::uint8_t opcode);
    Result<Step> container(std::uint8_t opcode);
    Result<Step> object(std::uint8_t opcode);
    Result<Step> memo(std::uint8_t opcode);

    Result<Step> push(PickleValue value);
    Result<Step> pushInteger(std::optional<std::uint64_t> number, unsigned width);
    Result<Step> pushLong(unsigned lengthWidth);
    Result<Step> pushFloat();
    Result<Step> pushCounted(PickleKind kind, unsigned lengthWidth);
    Result<Step> pushItems(PickleKind kind, std::size_t count);
    Result<Step> pushMarked(PickleKind kind);
    Result<Step> addItems(std::size_t count, bool asPairs);
    Result<Step> addMarked(bool asPairs);
    Result<Step> pushGlobal();
    Result<Step> pushStackGlobal();
    Result<Step> pushMade(PickleKind kind);
    Result<Step> pushMadeWithKeywords();
    Result<Step> setState();
    Result<Step> pushPersistent();
    Result<Step> remember(std::optional<std::uint64_t> index);
    Result<Step> recall(std::optional<std::uint64_t> index);
    Result<Step> pop();
    Result<Step> popMark();
    Result<Step> stop();

    /// How many values lie above the last mark, which is taken away.
    [[nodiscard]] std::optional<std::size_t> takeMark();
    /// Whether `count` values lie above the last mark.
    [[nodiscard]] bool has(std::size_t count) const;
    PickleId takeTop();
    [[nodiscard]] Error malformed(const std::string& reason) const;
    [[nodiscard]] Error endsEarly() const;
    [[nodiscard]] Error unknownOpcode(std::uint8_t opcode) const;

    std::string m_where;
    ByteCursor m_cursor;
    std::size_t m_opcodeAt = 0;
    Pickle m_result;
    std::vector<PickleId> m_stack;
    std::vector<std::size_t> m_marks; // heights of the stack
    std::unordered_map<std::uint64_t, PickleId> m_memo;
};

} // namespace duo
