// SPDX-License-Identifier: Apache-2.0
// What single opcodes do to the stack.
#include "core/formats/torch/pickle_machine.h"

#include <bit>

namespace duo {

std::optional<std::size_t> PickleMachine::takeMark()
{
    if (m_marks.empty())
        return std::nullopt;
    const std::size_t above = m_stack.size() - m_marks.back();
    m_marks.pop_back();
    return above;
}

bool PickleMachine::has(std::size_t count) const
{
    const std::size_t floor = m_marks.empty() ? 0 : m_marks.back();
    return m_stack.size() - floor >= count;
}

PickleId PickleMachine::takeTop()
{
    const PickleId top = m_stack.back();
    m_stack.pop_back();
    return top;
}

Result<PickleMachine::Step> PickleMachine::push(PickleValue value)
{
    if (m_result.m_values.size() >= Pickle::kMaxValues)
        return Error{ErrorCode::Unsupported, "pickle has too many values", m_where, "at most 4 million are read"};
    m_stack.push_back(static_cast<PickleId>(m_result.m_values.size()));
    m_result.m_values.push_back(std::move(value));
    return Step::Done;
}

Result<PickleMachine::Step> PickleMachine::pushInteger(std::optional<std::uint64_t> number, unsigned width)
{
    if (!number)
        return endsEarly();
    const auto value = width == 4 ? static_cast<std::int32_t>(*number) : static_cast<std::int64_t>(*number);
    return push({.kind = PickleKind::Int, .integer = value});
}

Result<PickleMachine::Step> PickleMachine::pushLong(unsigned lengthWidth)
{
    const auto length = m_cursor.number(lengthWidth);
    const auto bytes = length ? m_cursor.take(*length) : std::nullopt;
    if (!bytes)
        return endsEarly();
    if (bytes->size() > sizeof(std::int64_t))
        return push({.kind = PickleKind::Bytes, .text = *bytes});
    const bool isNegative = !bytes->empty() && (static_cast<unsigned char>(bytes->back()) & 0x80U) != 0;
    std::uint64_t value = isNegative ? ~std::uint64_t{0} : 0; // two's complement, shortened
    for (std::size_t i = bytes->size(); i > 0; --i)
        value = (value << 8U) | static_cast<unsigned char>((*bytes)[i - 1]);
    return push({.kind = PickleKind::Int, .integer = static_cast<std::int64_t>(value)});
}

Result<PickleMachine::Step> PickleMachine::pushFloat()
{
    const auto bytes = m_cursor.take(sizeof(double));
    if (!bytes)
        return endsEarly();
    std::uint64_t bits = 0; // the one big-endian number of the format
    for (const char byte : *bytes)
        bits = (bits << 8U) | static_cast<unsigned char>(byte);
    return push({.kind = PickleKind::Float, .real = std::bit_cast<double>(bits)});
}

Result<PickleMachine::Step> PickleMachine::pushCounted(PickleKind kind, unsigned lengthWidth)
{
    const auto length = m_cursor.number(lengthWidth);
    const auto bytes = length ? m_cursor.take(*length) : std::nullopt;
    if (!bytes)
        return endsEarly();
    return push({.kind = kind, .text = *bytes});
}

Result<PickleMachine::Step> PickleMachine::pushItems(PickleKind kind, std::size_t count)
{
    if (!has(count))
        return malformed("its stack is empty");
    const auto first = m_stack.end() - static_cast<std::ptrdiff_t>(count);
    std::vector<PickleId> items(first, m_stack.end());
    m_stack.erase(first, m_stack.end());
    return push({.kind = kind, .items = std::move(items)});
}

Result<PickleMachine::Step> PickleMachine::pushMarked(PickleKind kind)
{
    const auto count = takeMark();
    if (!count)
        return malformed("it has no mark");
    if (kind == PickleKind::Dict && *count % 2 != 0)
        return malformed("a key has no value");
    return pushItems(kind, *count);
}

Result<PickleMachine::Step> PickleMachine::addMarked(bool asPairs)
{
    const auto count = takeMark();
    if (!count)
        return malformed("it has no mark");
    if (asPairs && *count % 2 != 0)
        return malformed("a key has no value");
    return addItems(*count, asPairs);
}

Result<PickleMachine::Step> PickleMachine::addItems(std::size_t count, bool asPairs)
{
    if (!has(count + 1))
        return malformed("its stack is empty");
    const auto first = m_stack.end() - static_cast<std::ptrdiff_t>(count);
    PickleValue& target = m_result.m_values[*(first - 1)];
    const bool isMade = target.kind == PickleKind::Call || target.kind == PickleKind::Object;
    const bool isPlain
        = asPairs ? target.kind == PickleKind::Dict : target.kind == PickleKind::List || target.kind == PickleKind::Set;
    if (!isMade && !isPlain)
        return malformed("it adds items to what holds none");
    target.hasPairs
        = isMade && asPairs && (target.items.empty() || target.hasPairs); // an object that got both has none
    target.items.insert(target.items.end(), first, m_stack.end());
    m_stack.erase(first, m_stack.end());
    return Step::Done;
}

Result<PickleMachine::Step> PickleMachine::pushGlobal()
{
    const auto module = m_cursor.line();
    const auto name = module ? m_cursor.line() : std::nullopt;
    if (!name)
        return endsEarly();
    return push({.kind = PickleKind::Global, .text = *module, .name = *name});
}

Result<PickleMachine::Step> PickleMachine::pushStackGlobal()
{
    if (!has(2))
        return malformed("its stack is empty");
    const auto name = m_result.text(takeTop());
    const auto module = m_result.text(takeTop());
    if (!name || !module)
        return malformed("a name is no text");
    return push({.kind = PickleKind::Global, .text = *module, .name = *name});
}

Result<PickleMachine::Step> PickleMachine::pushMade(PickleKind kind)
{
    if (!has(2))
        return malformed("its stack is empty");
    const PickleId arguments = takeTop();
    const PickleId callee = takeTop();
    return push({.kind = kind, .callee = callee, .arguments = arguments});
}

Result<PickleMachine::Step> PickleMachine::pushMadeWithKeywords()
{
    if (!has(3))
        return malformed("its stack is empty");
    takeTop(); // the keywords describe nothing we read
    return pushMade(PickleKind::Object);
}

Result<PickleMachine::Step> PickleMachine::setState()
{
    if (!has(2))
        return malformed("its stack is empty");
    const PickleId state = takeTop();
    PickleValue& target = m_result.m_values[m_stack.back()];
    if (target.kind != PickleKind::Call && target.kind != PickleKind::Object)
        return malformed("it sets the state of what has none");
    target.state = state;
    return Step::Done;
}

Result<PickleMachine::Step> PickleMachine::pushPersistent()
{
    if (!has(1))
        return malformed("its stack is empty");
    return push({.kind = PickleKind::Persistent, .callee = takeTop()});
}

Result<PickleMachine::Step> PickleMachine::remember(std::optional<std::uint64_t> index)
{
    if (!index)
        return endsEarly();
    if (!has(1))
        return malformed("its stack is empty");
    m_memo[*index] = m_stack.back();
    return Step::Done;
}

Result<PickleMachine::Step> PickleMachine::recall(std::optional<std::uint64_t> index)
{
    if (!index)
        return endsEarly();
    const auto found = m_memo.find(*index);
    if (found == m_memo.end())
        return malformed("it recalls what it has not remembered");
    m_stack.push_back(found->second);
    return Step::Done;
}

Result<PickleMachine::Step> PickleMachine::pop()
{
    if (has(1))
        m_stack.pop_back();
    else if (!m_marks.empty())
        m_marks.pop_back();
    else
        return malformed("its stack is empty");
    return Step::Done;
}

Result<PickleMachine::Step> PickleMachine::popMark()
{
    const auto count = takeMark();
    if (!count)
        return malformed("it has no mark");
    m_stack.resize(m_stack.size() - *count);
    return Step::Done;
}

Result<PickleMachine::Step> PickleMachine::stop()
{
    if (!has(1))
        return malformed("its stack is empty");
    m_result.m_root = m_stack.back();
    return Step::Stop;
}

} // namespace duo
