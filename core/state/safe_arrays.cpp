// SPDX-License-Identifier: Apache-2.0
#include "core/state/safe_arrays.h"

#include "core/model/tensor.h"
#include "core/state/digest.h"
#include "core/support/json.h"

#include <algorithm>
#include <array>
#include <bit>

namespace duo {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::size_t kMostHeader = std::size_t{256} << 20; // bytes of JSON that are looked at

Error notArrays(const std::string& name, const std::string& what)
{
    return {ErrorCode::BadData, what, name, "write the file again"};
}

/// Of everything but the digest itself.
Result<std::string> digestOf(
    const nlohmann::ordered_json& header, std::span<const std::byte> data, const JobContext& job)
{
    Digest digest;
    DUO_CHECK(digest.add(data, job));
    for (const auto& [key, value] : header.items()) {
        nlohmann::ordered_json rest = value;
        if (key == "__metadata__")
            rest.erase("digest");
        digest.add(key);
        digest.add(rest.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace));
    }
    return digest.text();
}

bool isWhole(const nlohmann::ordered_json& json)
{
    return json.is_number_integer() && json.get<std::int64_t>() >= 0;
}

/// Shape and place of one array; offsets inside `data`.
struct Placed {
    std::string type;
    std::vector<std::int64_t> dims;
    std::span<const std::byte> bytes;
};

std::optional<Placed> placed(const nlohmann::ordered_json& json, std::span<const std::byte> data)
{
    const bool complete = json.is_object() && json.contains("dtype") && json["dtype"].is_string()
        && json.contains("shape") && json["shape"].is_array() && json.contains("data_offsets")
        && json["data_offsets"].is_array() && json["data_offsets"].size() == 2;
    if (!complete)
        return std::nullopt;
    Placed result;
    result.type = json["dtype"].get<std::string>();
    for (const auto& dim : json["shape"]) {
        if (!isWhole(dim))
            return std::nullopt;
        result.dims.push_back(dim.get<std::int64_t>());
    }
    const auto& offsets = json["data_offsets"];
    if (!isWhole(offsets[0]) || !isWhole(offsets[1]))
        return std::nullopt;
    const auto first = offsets[0].get<std::uint64_t>();
    const auto last = offsets[1].get<std::uint64_t>();
    if (first > last || last > data.size())
        return std::nullopt;
    result.bytes = data.subspan(first, last - first);
    return result;
}

} // namespace

void SafeArrayWriter::addBytes(
    const std::string& name, std::string_view type, std::vector<std::int64_t> dims, std::span<const std::byte> bytes)
{
    const std::size_t first = m_data.size();
    m_data.insert(m_data.end(), bytes.begin(), bytes.end());
    m_entries.push_back({name, type, std::move(dims), first, m_data.size()});
}

std::vector<std::byte> SafeArrayWriter::bytes(const std::vector<std::pair<std::string, std::string>>& texts) const
{
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    nlohmann::ordered_json metadata = nlohmann::ordered_json::object();
    for (const auto& [key, text] : texts)
        metadata[key] = text;
    header["__metadata__"] = std::move(metadata);
    for (const Entry& entry : m_entries)
        header[entry.name]
            = {{"dtype", entry.type}, {"shape", entry.dims}, {"data_offsets", {entry.first, entry.last}}};
    header["__metadata__"]["digest"] = *digestOf(header, m_data, {});
    std::string json = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    json.append((8 - json.size() % 8) % 8, ' ');
    const auto length = std::bit_cast<std::array<std::byte, 8>>(static_cast<std::uint64_t>(json.size()));
    std::vector<std::byte> bytes(length.begin(), length.end());
    const auto text = std::as_bytes(std::span(json));
    bytes.insert(bytes.end(), text.begin(), text.end());
    bytes.insert(bytes.end(), m_data.begin(), m_data.end());
    return bytes;
}

Result<SafeArrays> SafeArrays::parse(std::span<const std::byte> bytes, std::string name, const JobContext& job)
{
    std::array<std::byte, 8> start{};
    if (bytes.size() < start.size())
        return notArrays(name, "not a file of arrays");
    std::copy_n(bytes.begin(), start.size(), start.begin());
    const auto length = std::bit_cast<std::uint64_t>(start);
    if (length > kMostHeader || length > bytes.size() - start.size() || length < 2)
        return notArrays(name, "not a file of arrays");
    const auto header = bytes.subspan(start.size(), length);
    const std::string_view text(reinterpret_cast<const char*>(header.data()), header.size());
    DUO_TRY(json, parseJson(text, name, ErrorCode::BadData));
    if (!json.is_object() || !json.contains("__metadata__") || !json["__metadata__"].is_object())
        return notArrays(name, "not a file of arrays");
    SafeArrays arrays;
    arrays.m_name = std::move(name);
    for (const auto& [key, value] : json["__metadata__"].items()) {
        if (value.is_string())
            arrays.m_texts[key] = value.get<std::string>();
    }
    const auto data = bytes.subspan(start.size() + length);
    const std::string changed = "cut off or changed since it was written";
    std::size_t end = 0; // of the arrays
    for (const auto& [key, value] : json.items()) {
        if (key == "__metadata__")
            continue;
        auto entry = placed(value, data);
        if (!entry)
            return notArrays(arrays.m_name, changed);
        end = std::max(end, static_cast<std::size_t>(entry->bytes.data() - data.data()) + entry->bytes.size());
        arrays.m_entries.insert_or_assign(key, Entry{std::move(entry->type), std::move(entry->dims), entry->bytes});
    }
    if (end != data.size())
        return notArrays(arrays.m_name, changed);
    DUO_TRY(digest, digestOf(json, data, job));
    if (arrays.text("digest") != digest)
        return notArrays(arrays.m_name, changed);
    for (const auto& [key, entry] : arrays.m_entries)
        arrays.m_names.push_back(key);
    return arrays;
}

std::string SafeArrays::text(const std::string& key) const
{
    const auto found = m_texts.find(key);
    return found == m_texts.end() ? std::string() : found->second;
}

std::int64_t SafeArrays::rows(const std::string& array) const
{
    const auto found = m_entries.find(array);
    return found == m_entries.end() || found->second.dims.empty() ? 0 : found->second.dims.front();
}

Result<std::span<const std::byte>> SafeArrays::find(const std::string& array, std::string_view type,
    const std::vector<std::int64_t>& dims, std::size_t elementSize) const
{
    const auto found = m_entries.find(array);
    if (found == m_entries.end())
        return notArrays(m_name, "array '" + array + "' is missing");
    const auto count = elementCount(dims);
    const Entry& entry = found->second;
    if (entry.type != type || entry.dims != dims || !count || entry.bytes.size() % elementSize != 0
        || static_cast<std::uint64_t>(*count) != entry.bytes.size() / elementSize)
        return notArrays(m_name, "array '" + array + "' has another type or shape than it should");
    return entry.bytes;
}

} // namespace duo
