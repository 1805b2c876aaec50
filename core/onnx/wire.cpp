// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/wire.h"

namespace duo {
namespace {

constexpr int kMaxVarintBytes = 10;

std::size_t fixedSize(WireType type)
{
    return type == WireType::Fixed64 ? 8 : 4;
}

} // namespace

std::optional<WireField> WireCursor::fail(WireFault fault)
{
    m_fault = fault;
    m_rest = {};
    return std::nullopt;
}

std::optional<std::uint64_t> WireCursor::varint()
{
    std::uint64_t value = 0;
    for (int i = 0; i < kMaxVarintBytes; ++i) {
        if (static_cast<std::size_t>(i) >= m_rest.size()) {
            fail(WireFault::PastEnd);
            return std::nullopt;
        }
        const auto byte = std::to_integer<std::uint64_t>(m_rest[static_cast<std::size_t>(i)]);
        value |= (byte & 0x7FU) << (7U * static_cast<unsigned>(i));
        if (byte < 0x80U) {
            m_rest = m_rest.subspan(static_cast<std::size_t>(i) + 1);
            return value;
        }
    }
    fail(WireFault::Broken);
    return std::nullopt;
}

std::optional<WireField> WireCursor::next()
{
    if (m_rest.empty())
        return std::nullopt;
    const std::byte* const start = m_rest.data();
    const auto tag = varint();
    if (!tag)
        return std::nullopt;
    WireField field;
    field.number = static_cast<std::uint32_t>(*tag >> 3U);
    field.type = static_cast<WireType>(*tag & 7U);
    m_cut = field;
    if (*tag > 0xFFFFFFFFU || field.number == 0)
        return fail(WireFault::Broken);
    std::size_t size = 0;
    switch (field.type) {
    case WireType::Varint: {
        const auto before = m_rest;
        if (!varint())
            return std::nullopt;
        field.content = before.first(before.size() - m_rest.size());
        field.whole = {start, m_rest.data()};
        return field;
    }
    case WireType::Bytes: {
        const auto length = varint();
        if (!length)
            return std::nullopt;
        if (*length > m_rest.size())
            return fail(WireFault::PastEnd);
        size = static_cast<std::size_t>(*length);
        break;
    }
    case WireType::Fixed64:
    case WireType::Fixed32:
        size = fixedSize(field.type);
        break;
    default:
        return fail(WireFault::Broken);
    }
    if (size > m_rest.size())
        return fail(WireFault::PastEnd);
    field.content = m_rest.first(size);
    m_rest = m_rest.subspan(size);
    field.whole = {start, m_rest.data()};
    return field;
}

std::optional<MessageKind> childKind(MessageKind parent, std::uint32_t number)
{
    using enum MessageKind;
    switch (parent) {
    case Model:
        return number == 7 ? std::optional(Graph)
            : number == 25 ? std::optional(Function)
            : number == 20 ? std::optional(Training)
                           : std::nullopt;
    case Training:
        return number <= 2 ? std::optional(Graph) : std::nullopt;
    case Graph:
        return number == 1 ? std::optional(Node)
            : number == 5  ? std::optional(Tensor)
            : number == 15 ? std::optional(SparseTensor)
                           : std::nullopt;
    case Function:
        return number == 7 ? std::optional(Node) : number == 11 ? std::optional(Attribute) : std::nullopt;
    case Node:
        return number == 5 ? std::optional(Attribute) : std::nullopt;
    case Attribute:
        return number == 5 || number == 10 ? std::optional(Tensor)
            : number == 6 || number == 11  ? std::optional(Graph)
            : number == 22 || number == 23 ? std::optional(SparseTensor)
                                           : std::nullopt;
    case SparseTensor:
        return number <= 2 ? std::optional(Tensor) : std::nullopt;
    case Tensor:
        break;
    }
    return std::nullopt;
}

std::uint32_t wireTag(std::uint32_t number, WireType type)
{
    return number << 3U | static_cast<std::uint32_t>(type);
}

std::size_t varintSize(std::uint64_t value)
{
    std::size_t size = 1;
    while (value >= 0x80U) {
        value >>= 7U;
        ++size;
    }
    return size;
}

void appendVarint(std::string& out, std::uint64_t value)
{
    while (value >= 0x80U) {
        out.push_back(static_cast<char>((value & 0x7FU) | 0x80U));
        value >>= 7U;
    }
    out.push_back(static_cast<char>(value));
}

} // namespace duo
