// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/pickle_machine.h"

namespace duo {
namespace {

constexpr std::uint64_t kMaxProtocol = 5;
constexpr std::size_t kStepsBetweenStops = 4096;
constexpr std::size_t kMaxDepth = std::size_t{1} << 20; // marks and values on the stack

} // namespace

PickleMachine::PickleMachine(SharedBytes bytes, std::string where)
    : m_where(std::move(where))
    , m_cursor(bytes.bytes)
{
    m_result.m_bytes = std::move(bytes);
}

Error PickleMachine::malformed(const std::string& reason) const
{
    return {
        ErrorCode::MalformedModel, "pickle cannot be read", m_where + " byte " + std::to_string(m_opcodeAt), reason};
}

Error PickleMachine::endsEarly() const
{
    return malformed("it ends in the middle of a value");
}

Error PickleMachine::unknownOpcode(std::uint8_t opcode) const
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string advice = "0x";
    advice += kDigits[opcode >> 4U];
    advice += kDigits[opcode & 0xFU];
    advice += "; save it again with torch.save";
    return {ErrorCode::Unsupported, "pickle has an opcode that is not read",
        m_where + " byte " + std::to_string(m_opcodeAt), std::move(advice)};
}

Status PickleMachine::run(const JobContext& job)
{
    if (m_result.m_bytes.bytes.size() > Pickle::kMaxBytes)
        return Error{ErrorCode::Unsupported, "pickle is too long", m_where, "at most 256 MB are read"};
    for (std::size_t steps = 1;; ++steps) {
        if (steps % kStepsBetweenStops == 0 && job.stopped())
            return cancelledError();
        m_opcodeAt = m_cursor.position();
        const auto opcode = m_cursor.number(1);
        if (!opcode)
            return malformed("it ends without STOP");
        DUO_TRY(done, step(static_cast<std::uint8_t>(*opcode)));
        if (done == Step::Stop)
            return success();
        if (done == Step::Unknown)
            return unknownOpcode(static_cast<std::uint8_t>(*opcode));
        if (m_stack.size() > kMaxDepth || m_marks.size() > kMaxDepth)
            return malformed("it is nested too deeply");
    }
}

Result<PickleMachine::Step> PickleMachine::step(std::uint8_t opcode)
{
    using Group = Result<Step> (PickleMachine::*)(std::uint8_t);
    constexpr Group kGroups[] = {&PickleMachine::memo, &PickleMachine::literal, &PickleMachine::counted,
        &PickleMachine::container, &PickleMachine::object, &PickleMachine::frame};
    for (const Group group : kGroups) {
        DUO_TRY(done, (this->*group)(opcode));
        if (done != Step::Unknown)
            return done;
    }
    return Step::Unknown;
}

Result<PickleMachine::Step> PickleMachine::frame(std::uint8_t opcode)
{
    switch (opcode) {
    case 0x80: { // PROTO
        const auto protocol = m_cursor.number(1);
        if (!protocol)
            return endsEarly();
        if (*protocol > kMaxProtocol)
            return Error{ErrorCode::Unsupported, "pickle has an unknown protocol", m_where,
                std::to_string(*protocol) + "; 2 to 5 are read"};
        return Step::Done;
    }
    case 0x95: // FRAME: a hint for reading ahead
        return m_cursor.number(8) ? Result<Step>(Step::Done) : endsEarly();
    case '.':
        return stop();
    default:
        return Step::Unknown;
    }
}

Result<PickleMachine::Step> PickleMachine::literal(std::uint8_t opcode)
{
    switch (opcode) {
    case 'N':
        return push({.kind = PickleKind::None});
    case 0x88: // NEWTRUE
    case 0x89: // NEWFALSE
        return push({.kind = PickleKind::Bool, .truth = opcode == 0x88});
    case 'K': // BININT1
        return pushInteger(m_cursor.number(1), 1);
    case 'M': // BININT2
        return pushInteger(m_cursor.number(2), 2);
    case 'J': // BININT
        return pushInteger(m_cursor.number(4), 4);
    case 0x8a: // LONG1
        return pushLong(1);
    case 0x8b: // LONG4
        return pushLong(4);
    case 'G': // BINFLOAT
        return pushFloat();
    default:
        return Step::Unknown;
    }
}

Result<PickleMachine::Step> PickleMachine::counted(std::uint8_t opcode)
{
    switch (opcode) {
    case 0x8c: // SHORT_BINUNICODE
    case 'U': // SHORT_BINSTRING
        return pushCounted(PickleKind::Text, 1);
    case 'X': // BINUNICODE
    case 'T': // BINSTRING
        return pushCounted(PickleKind::Text, 4);
    case 0x8d: // BINUNICODE8
        return pushCounted(PickleKind::Text, 8);
    case 'C': // SHORT_BINBYTES
        return pushCounted(PickleKind::Bytes, 1);
    case 'B': // BINBYTES
        return pushCounted(PickleKind::Bytes, 4);
    case 0x8e: // BINBYTES8
    case 0x96: // BYTEARRAY8
        return pushCounted(PickleKind::Bytes, 8);
    default:
        return Step::Unknown;
    }
}

Result<PickleMachine::Step> PickleMachine::container(std::uint8_t opcode)
{
    switch (opcode) {
    case '(':
        m_marks.push_back(m_stack.size());
        return Step::Done;
    case ')':
        return pushItems(PickleKind::Tuple, 0);
    case ']':
        return pushItems(PickleKind::List, 0);
    case '}':
        return pushItems(PickleKind::Dict, 0);
    case 0x8f: // EMPTY_SET
        return pushItems(PickleKind::Set, 0);
    case 0x85: // TUPLE1
    case 0x86:
    case 0x87:
        return pushItems(PickleKind::Tuple, opcode - 0x84U);
    case 't':
        return pushMarked(PickleKind::Tuple);
    case 'l':
        return pushMarked(PickleKind::List);
    case 'd':
        return pushMarked(PickleKind::Dict);
    case 0x91: // FROZENSET
        return pushMarked(PickleKind::Set);
    case 'a':
        return addItems(1, false);
    case 's':
        return addItems(2, true);
    case 'e':
    case 0x90: // ADDITEMS
        return addMarked(false);
    case 'u':
        return addMarked(true);
    default:
        return Step::Unknown;
    }
}

Result<PickleMachine::Step> PickleMachine::object(std::uint8_t opcode)
{
    switch (opcode) {
    case 'c':
        return pushGlobal();
    case 0x93: // STACK_GLOBAL
        return pushStackGlobal();
    case 'R':
        return pushMade(PickleKind::Call);
    case 0x81: // NEWOBJ
        return pushMade(PickleKind::Object);
    case 0x92: // NEWOBJ_EX
        return pushMadeWithKeywords();
    case 'b':
        return setState();
    case 'Q':
        return pushPersistent();
    default:
        return Step::Unknown;
    }
}

Result<PickleMachine::Step> PickleMachine::memo(std::uint8_t opcode)
{
    switch (opcode) {
    case 'q':
        return remember(m_cursor.number(1));
    case 'r':
        return remember(m_cursor.number(4));
    case 0x94: // MEMOIZE
        return remember(m_memo.size());
    case 'h':
        return recall(m_cursor.number(1));
    case 'j':
        return recall(m_cursor.number(4));
    case '0':
        return pop();
    case '1':
        return popMark();
    case '2': // DUP
        if (!has(1))
            return malformed("its stack is empty");
        m_stack.push_back(m_stack.back());
        return Step::Done;
    default:
        return Step::Unknown;
    }
}

} // namespace duo
