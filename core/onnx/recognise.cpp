// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/recognise.h"

#include "core/onnx/wire.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace duo {
namespace {

bool startsWith(std::span<const std::byte> bytes, std::string_view magic)
{
    return bytes.size() >= magic.size()
        && std::equal(magic.begin(), magic.end(), bytes.begin(),
            [](char expected, std::byte actual) { return static_cast<std::byte>(expected) == actual; });
}

bool isText(std::span<const std::byte> bytes)
{
    constexpr std::size_t kLooked = 512;
    return std::ranges::all_of(bytes.first(std::min(bytes.size(), kLooked)), [](std::byte byte) {
        const auto code = std::to_integer<unsigned>(byte);
        return (code >= 0x20U && code != 0x7FU) || (code >= '\t' && code <= '\r');
    });
}

/// Fields of ModelProto with their wire types (onnx.proto).
bool isModelField(const WireField& field)
{
    constexpr std::array<std::uint32_t, 9> kMessages{2, 3, 4, 6, 7, 8, 14, 20, 25};
    if (field.number == 1 || field.number == 5)
        return field.type == WireType::Varint;
    return field.type == WireType::Bytes && std::ranges::find(kMessages, field.number) != kMessages.end();
}

/// The file begins like a model and ends inside one of its fields.
bool isCutOffModel(std::span<const std::byte> bytes)
{
    WireCursor cursor(bytes);
    while (const auto field = cursor.next()) {
        if (!isModelField(*field))
            return false;
    }
    return cursor.fault() == WireFault::PastEnd && isModelField(cursor.cutField());
}

std::string advice(std::span<const std::byte> bytes)
{
    if (bytes.empty())
        return "the file is empty, copy or download it again";
    if (startsWith(bytes, "version https://git-lfs"))
        return "this is a git-lfs pointer, fetch the file itself with git lfs pull";
    if (startsWith(bytes, "PK\x03\x04"))
        return "this is a zip archive, unpack it, or export a PyTorch model to ONNX";
    if (startsWith(bytes, "\x80\x02") || startsWith(bytes, "\x80\x04"))
        return "this is a Python pickle, export the model to ONNX";
    if (isText(bytes))
        return "this is a text file, name a model exported to ONNX";
    return "the file holds something else or is damaged, name a model exported to ONNX";
}

} // namespace

Error unreadableModel(std::span<const std::byte> bytes, Unreadable reason, const std::string& name)
{
    if (reason == Unreadable::TooDeep)
        return {ErrorCode::MalformedModel, "the ONNX file is nested too deeply", name, "export the model again"};
    if (reason == Unreadable::CutOff && !isText(bytes) && isCutOffModel(bytes))
        return {ErrorCode::MalformedModel, "the ONNX file is truncated", name, "copy or download it again"};
    return {ErrorCode::MalformedModel, "not an ONNX model", name, advice(bytes)};
}

} // namespace duo
