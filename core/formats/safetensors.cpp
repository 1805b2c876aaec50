// SPDX-License-Identifier: Apache-2.0
#include "core/formats/safetensors.h"

#include "core/formats/safetensors_header.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

namespace duo {
namespace {

constexpr std::size_t kLengthBytes = 8;

struct SafetensorsType {
    std::string_view name;
    ElementType type;
};

constexpr SafetensorsType kTypes[] = {
    {"F32", ElementType::Float32},
    {"F16", ElementType::Float16},
    {"BF16", ElementType::BFloat16},
    {"F64", ElementType::Float64},
    {"I64", ElementType::Int64},
    {"I32", ElementType::Int32},
    {"I16", ElementType::Int16},
    {"I8", ElementType::Int8},
    {"U64", ElementType::UInt64},
    {"U32", ElementType::UInt32},
    {"U16", ElementType::UInt16},
    {"U8", ElementType::UInt8},
    {"BOOL", ElementType::Bool},
    {"F8_E4M3", ElementType::Float8E4M3FN},
    {"F8_E5M2", ElementType::Float8E5M2},
    {"F8_E8M0", ElementType::Float8E8M0},
    {"F4", ElementType::Float4E2M1},
    {"C64", ElementType::Complex64},
};

std::optional<ElementType> typeNamed(std::string_view name)
{
    const auto* const found = std::ranges::find(kTypes, name, &SafetensorsType::name);
    return found == std::end(kTypes) ? std::nullopt : std::optional(found->type);
}

std::uint64_t headerLength(std::span<const std::byte> bytes)
{
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i)
        length |= static_cast<std::uint64_t>(bytes[i]) << (8U * i);
    return length;
}

Error damaged(const std::string& where, const std::string& reason)
{
    return {ErrorCode::MalformedModel, "safetensors file is damaged", where, reason};
}

/// The ranges must cover the data once, without holes.
Status checkRanges(const std::vector<SafetensorsEntry>& entries, std::int64_t dataBytes, const CheckpointDraft& draft)
{
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(entries[i].begin, entries[i].end); });
    std::int64_t covered = 0;
    for (const std::size_t i : order) {
        const SafetensorsEntry& entry = entries[i];
        if (entry.end > dataBytes)
            return damaged(draft.where(entry.name), "its data end beyond the file");
        if (entry.begin != covered)
            return damaged(draft.where(entry.name),
                entry.begin < covered ? "its data overlap others" : "there is a hole before its data");
        covered = entry.end;
    }
    if (covered != dataBytes)
        return damaged(draft.where(), std::to_string(dataBytes - covered) + " bytes at the end belong to nothing");
    return success();
}

Status addEntry(SafetensorsEntry&& entry, const SharedBytes& data, CheckpointDraft& draft)
{
    const auto type = typeNamed(entry.dtype);
    if (!type)
        return draft.leaveOut(entry.name, "its elements are " + entry.dtype);
    const auto count = elementCount(entry.shape);
    const auto size = count ? packedBytes(*type, *count) : std::nullopt;
    if (!size || *size != entry.end - entry.begin)
        return damaged(draft.where(entry.name), "its shape does not fit its data");
    Tensor tensor{.name = {},
        .type = *type,
        .dims = std::move(entry.shape),
        .data
        = {data.owner, data.bytes.subspan(static_cast<std::size_t>(entry.begin), static_cast<std::size_t>(*size))},
        .place = TensorPlace::External};
    return draft.addKey(std::move(entry.name), draft.addTensor(std::move(tensor)));
}

/// save_model drops all but one name of a shared tensor, and writes dropped -> kept into the metadata.
Status addDropped(const SafetensorsHeader& header, CheckpointDraft& draft)
{
    for (const auto& [dropped, kept] : header.metadata)
        if (const auto tensor = draft.tensorOf(kept); tensor && !draft.tensorOf(dropped))
            DUO_CHECK(draft.addKey(dropped, *tensor));
    return success();
}

} // namespace

bool isSafetensors(std::span<const std::byte> bytes)
{
    return bytes.size() > kLengthBytes && bytes[kLengthBytes] == std::byte{'{'};
}

Status readSafetensors(const std::shared_ptr<const MappedFile>& file, CheckpointDraft& draft, const JobContext& job)
{
    const auto bytes = file->bytes();
    const std::uint64_t length = headerLength(bytes);
    if (length > static_cast<std::uint64_t>(kMaxSafetensorsHeader))
        return Error{ErrorCode::Unsupported, "safetensors header is too long", draft.where(),
            std::to_string(length) + " bytes; at most 100 MB are read"};
    if (length > bytes.size() - kLengthBytes)
        return damaged(draft.where(), "its header ends beyond the file");
    const auto text = bytes.subspan(kLengthBytes, static_cast<std::size_t>(length));
    DUO_TRY(header,
        parseSafetensorsHeader({reinterpret_cast<const char*>(text.data()), text.size()}, draft.where())); // NOLINT
    const SharedBytes data{file, bytes.subspan(kLengthBytes + text.size())};
    DUO_CHECK(checkRanges(header.entries, static_cast<std::int64_t>(data.bytes.size()), draft));
    for (SafetensorsEntry& entry : header.entries) {
        if (job.stopped())
            return cancelledError();
        DUO_CHECK(addEntry(std::move(entry), data, draft));
    }
    return addDropped(header, draft);
}

} // namespace duo
