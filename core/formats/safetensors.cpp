// SPDX-License-Identifier: Apache-2.0
#include "core/formats/safetensors.h"

#include "core/support/result.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace duo {
namespace {

struct SafetensorsEntry {
    std::string name;
    std::string dtype; // "F32"
    std::vector<std::int64_t> shape; // each >= 0
    std::int64_t begin = 0; // bytes from the start of the data
    std::int64_t end = 0; // >= begin
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries; // in header order
    std::vector<std::pair<std::string, std::string>> metadata;
};

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::size_t kMaxRank = 64;
constexpr std::size_t kMaxEntries = std::size_t{1} << 20;

/// Takes the events of nlohmann's SAX parser: {name: {part: text or [numbers]}}; false stops it. A document tree would
/// lose repeated names, and need much more memory than the text.
class HeaderEvents
{
public:
    using number_integer_t = nlohmann::json::number_integer_t;
    using number_unsigned_t = nlohmann::json::number_unsigned_t;
    using number_float_t = nlohmann::json::number_float_t;
    using string_t = nlohmann::json::string_t;
    using binary_t = nlohmann::json::binary_t;

    [[nodiscard]] const std::string& problem() const { return m_problem; }
    [[nodiscard]] const std::string& entry() const { return m_entry.name; }
    [[nodiscard]] SafetensorsHeader takeHeader() { return std::move(m_header); }

    bool start_object(std::size_t /*size*/)
    {
        if (m_depth == 1)
            m_parts.clear();
        return m_depth++ < 2 || fail("it holds an object where none belongs");
    }
    bool end_object()
    {
        --m_depth;
        if (m_depth != 1 || m_entry.name == kMetadata)
            return true;
        if (m_parts.size() != 3)
            return fail("it lacks its dtype, shape or data_offsets");
        if (m_header.entries.size() >= kMaxEntries)
            return fail("it is one of more than a million tensors");
        m_header.entries.push_back(std::move(m_entry));
        m_entry = {};
        return true;
    }
    bool key(string_t& name)
    {
        if (m_depth == 1) {
            m_entry = {};
            m_entry.name = name;
            return m_names.insert(name).second || fail("it is there twice");
        }
        m_part = name;
        return m_parts.insert(name).second || fail("it has a part twice");
    }
    bool string(string_t& value)
    {
        if (m_depth == 2 && m_entry.name == kMetadata)
            m_header.metadata.emplace_back(m_part, std::move(value));
        else if (m_depth == 2 && m_part == "dtype")
            m_entry.dtype = std::move(value);
        else
            return fail("it holds text where none belongs");
        return true;
    }
    bool start_array(std::size_t /*size*/)
    {
        const bool belongs = m_depth == 2 && !m_inArray && (m_part == "shape" || m_part == "data_offsets")
            && m_entry.name != kMetadata;
        m_inArray = true;
        m_numbers.clear();
        return belongs || fail("it holds a list where none belongs");
    }
    bool end_array()
    {
        m_inArray = false;
        if (m_part == "shape") {
            m_entry.shape = std::move(m_numbers);
            return true;
        }
        if (m_numbers.size() != 2 || m_numbers[0] > m_numbers[1])
            return fail("its data_offsets are no range");
        m_entry.begin = m_numbers[0];
        m_entry.end = m_numbers[1];
        return true;
    }
    bool number_unsigned(number_unsigned_t value)
    {
        if (!m_inArray || value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            return fail("it holds an impossible number");
        if (m_numbers.size() >= kMaxRank)
            return fail("it has more than 64 dimensions");
        m_numbers.push_back(static_cast<std::int64_t>(value));
        return true;
    }
    bool number_integer(number_integer_t /*value*/) { return fail("it holds an impossible number"); }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/)
    {
        return fail("it holds an impossible number");
    }
    bool null() { return fail("it holds null"); }
    bool boolean(bool /*value*/) { return fail("it holds true or false"); }
    bool binary(binary_t& /*value*/) { return fail("it holds binary data"); }
    bool parse_error(std::size_t byte, const std::string& /*token*/, const nlohmann::detail::exception& /*error*/)
    {
        return fail("no valid JSON at byte " + std::to_string(byte));
    }

private:
    bool fail(std::string problem)
    {
        if (m_problem.empty())
            m_problem = std::move(problem);
        return false;
    }

    SafetensorsHeader m_header;
    SafetensorsEntry m_entry;
    std::string m_part;
    std::string m_problem;
    std::vector<std::int64_t> m_numbers;
    std::unordered_set<std::string> m_names;
    std::unordered_set<std::string> m_parts;
    int m_depth = 0;
    bool m_inArray = false;
};

/// Parses the JSON header (huggingface/safetensors, README "Format") strictly: every entry has its three parts, numbers
/// are integers >= 0, names are there once. Memory is bounded by the text. `where` names the file. @return
/// MalformedModel naming the entry
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, const std::string& where)
{
    HeaderEvents events;
    if (text.starts_with('{') && nlohmann::json::sax_parse(text, &events))
        return events.takeHeader();
    const std::string entry = events.entry().empty() ? std::string() : ": '" + events.entry() + "'";
    return Error{ErrorCode::MalformedModel, "safetensors header is damaged", where + entry,
        events.problem().empty() ? "it is no JSON object" : events.problem()};
}

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
    DUO_TRY(header, parseSafetensorsHeader({reinterpret_cast<const char*>(text.data()), text.size()}, draft.where()));
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
