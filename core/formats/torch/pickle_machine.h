// SPDX-License-Identifier: Apache-2.0
// PickleMachine: the stack, the marks and the memo of the pickle format; it builds descriptions only.
#pragma once

#include "core/formats/torch/byte_cursor.h"
#include "core/formats/torch/pickle.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

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
