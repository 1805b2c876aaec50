// SPDX-License-Identifier: Apache-2.0
// The protobuf wire format, as far as finding the weights of an ONNX file needs it
// (https://protobuf.dev/programming-guides/encoding).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace duo {

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct WireField {
    std::uint32_t number = 0; // >= 1
    WireType type = WireType::Varint;
    std::span<const std::byte> whole; // tag, length and content
    std::span<const std::byte> content; // of Bytes without its length
};

enum class WireFault : std::uint8_t {
    None,
    Broken, // not a field: bad tag, endless varint, or a group (ONNX has none)
    PastEnd, // a field that claims more bytes than there are
};

/// Walks the fields of one message. Never reads outside `bytes`.
class WireCursor
{
public:
    explicit WireCursor(std::span<const std::byte> bytes)
        : m_rest(bytes)
    {
    }
    /// The next field; nothing at the end or at a fault.
    std::optional<WireField> next();
    [[nodiscard]] WireFault fault() const { return m_fault; }
    /// At a PastEnd fault: the number and type of the field that is cut off.
    [[nodiscard]] const WireField& cutField() const { return m_cut; }

private:
    std::optional<std::uint64_t> varint();
    std::optional<WireField> fail(WireFault fault);

    std::span<const std::byte> m_rest;
    WireFault m_fault = WireFault::None;
    WireField m_cut;
};

/// The messages on the way from a ModelProto to its tensors.
enum class MessageKind : std::uint8_t { Model, Training, Graph, Function, Node, Attribute, SparseTensor, Tensor };

/// The message that field `number` of a `parent` holds, if it can hold tensors (onnx.proto).
std::optional<MessageKind> childKind(MessageKind parent, std::uint32_t number);

std::uint32_t wireTag(std::uint32_t number, WireType type);
std::size_t varintSize(std::uint64_t value);
void appendVarint(std::string& out, std::uint64_t value);

} // namespace duo
