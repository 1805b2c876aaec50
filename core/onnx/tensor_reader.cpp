// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/tensor_reader.h"

#include "core/onnx/payloads.h"
#include "core/support/utf8.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace duo {
namespace {

std::optional<std::uint64_t> parseNumber(const std::string& text)
{
    std::uint64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Bytes one element takes in int32_data and the like: sub-byte types come packed, a byte per entry.
std::size_t entryBytes(ElementType type)
{
    const int bits = elementBits(type);
    return bits < 8 ? 1 : static_cast<std::size_t>(bits) / 8;
}

/// Entries truncated to the element's width, little-endian (onnx.proto: int32_data holds all types up to 32 bits).
template <typename Entries> SharedBytes truncated(const Entries& entries, ElementType type)
{
    const std::size_t width = entryBytes(type);
    std::vector<std::byte> bytes(static_cast<std::size_t>(entries.size()) * width);
    std::size_t at = 0;
    for (const auto entry : entries) {
        std::memcpy(bytes.data() + at, &entry, std::min(width, sizeof(entry)));
        at += width;
    }
    return SharedBytes::own(std::move(bytes));
}

Error malformed(std::string what, std::string whatToDo = "export the model again")
{
    return {ErrorCode::MalformedModel, std::move(what), {}, std::move(whatToDo)};
}

} // namespace

Result<ExternalReference> externalReference(const onnx::TensorProto& proto, const std::string& tensor)
{
    ExternalReference reference;
    for (const auto& entry : proto.external_data()) {
        const auto number = parseNumber(entry.value());
        if (entry.key() == "location")
            reference.location = entry.value();
        else if (entry.key() != "offset" && entry.key() != "length")
            continue;
        else if (!number)
            return malformed(
                "external data of " + tensor + " has a broken " + entry.key() + " '" + entry.value() + "'");
        else if (entry.key() == "offset")
            reference.offset = *number;
        else
            reference.length = *number;
    }
    if (reference.location.empty())
        return malformed(tensor + " is external, but names no file");
    return reference;
}

std::optional<std::uint64_t> neededBytes(const onnx::TensorProto& proto)
{
    const auto count = elementCount(std::span(proto.dims().data(), static_cast<std::size_t>(proto.dims_size())));
    const auto bytes = count ? packedBytes(static_cast<ElementType>(proto.data_type()), *count) : std::nullopt;
    return bytes ? std::optional(static_cast<std::uint64_t>(*bytes)) : std::nullopt;
}

Result<TensorId> TensorReader::read(const onnx::TensorProto& proto, const std::string& fallback)
{
    if (const auto known = m_known.find(&proto); known != m_known.end())
        return known->second;
    Tensor tensor;
    tensor.name = asUtf8(proto.name());
    const std::string label = tensor.name.empty() ? fallback : "tensor '" + tensor.name + "'";
    tensor.type = static_cast<ElementType>(proto.data_type());
    tensor.dims.assign(proto.dims().begin(), proto.dims().end());
    if (!elementCount(tensor.dims))
        return malformed(label + " has a negative dimension or too many elements");
    if (tensor.type == ElementType::Undefined)
        return malformed(label + " has no element type");
    if (elementBits(tensor.type) == 0 && tensor.type != ElementType::String)
        return Error{ErrorCode::Unsupported,
            label + " has element type " + std::to_string(proto.data_type()) + ", which this program does not know", {},
            "export the model with an older IR version"};
    const auto needed = neededBytes(proto);
    if (!needed && elementBits(tensor.type) > 0)
        return malformed(label + " has too many elements");
    DUO_TRY(bytes, bytesOf(proto, tensor, needed, label));
    const bool isExternal = proto.data_location() == onnx::TensorProto::EXTERNAL;
    const bool isAbsent = isExternal && !bytes.owner; // its file is not there, and left out
    if (needed && !isAbsent && bytes.bytes.size() != *needed)
        return malformed(label + " has " + std::to_string(bytes.bytes.size()) + " bytes, its shape and type need "
            + std::to_string(*needed));
    tensor.data = std::move(bytes);
    if (isExternal)
        tensor.place = TensorPlace::External;
    const TensorId id(m_draft.tensors.size());
    m_draft.tensors.push_back(std::move(tensor));
    m_known.emplace(&proto, id);
    return id;
}

Result<SharedBytes> TensorReader::bytesOf(
    const onnx::TensorProto& proto, const Tensor& tensor, std::optional<std::uint64_t> needed, const std::string& label)
{
    const bool isExternal = proto.data_location() == onnx::TensorProto::EXTERNAL;
    if (tensor.type == ElementType::String && isExternal)
        return malformed(label + " holds strings, which cannot be external");
    if (tensor.type == ElementType::String && elementCount(tensor.dims) != proto.string_data_size())
        return malformed(label + " has " + std::to_string(proto.string_data_size()) + " strings, its shape needs "
            + std::to_string(tensor.elements()));
    if (tensor.type == ElementType::String)
        return SharedBytes{};
    if (!isExternal)
        return inlineBytes(proto, label);
    DUO_TRY(reference, externalReference(proto, label));
    return m_external.bytesOf(reference, needed, label);
}

Result<SharedBytes> TensorReader::inlineBytes(const onnx::TensorProto& proto, const std::string& label)
{
    const auto type = static_cast<ElementType>(proto.data_type());
    if (proto.has_raw_data())
        return payload(payloadIndex(proto.raw_data()), label);
    if (proto.float_data_size() == 1 && (type == ElementType::Float32 || type == ElementType::Complex64))
        return payload(payloadIndex(proto.float_data(0)), label);
    if (proto.double_data_size() == 1 && (type == ElementType::Float64 || type == ElementType::Complex128))
        return payload(payloadIndex(proto.double_data(0)), label);
    if (type == ElementType::Int64)
        return truncated(proto.int64_data(), type);
    if (type == ElementType::UInt64 || type == ElementType::UInt32)
        return truncated(proto.uint64_data(), type);
    if (elementBits(type) <= 32 && type != ElementType::Float32)
        return truncated(proto.int32_data(), type);
    return SharedBytes{};
}

Result<SharedBytes> TensorReader::payload(std::optional<std::uint32_t> index, const std::string& label)
{
    if (!index || *index >= m_payloads.size())
        return malformed(label + " gives its content more than once");
    return m_payloads[*index];
}

} // namespace duo
