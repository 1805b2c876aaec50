// SPDX-License-Identifier: Apache-2.0
#include "core/formats/safetensors_header.h"

#include <limits>
#include <optional>
#include <unordered_set>

#include <nlohmann/json.hpp>

namespace duo {
namespace {

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

} // namespace

Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view text, const std::string& where)
{
    HeaderEvents events;
    if (text.starts_with('{') && nlohmann::json::sax_parse(text, &events))
        return events.takeHeader();
    const std::string entry = events.entry().empty() ? std::string() : ": '" + events.entry() + "'";
    return Error{ErrorCode::MalformedModel, "safetensors header is damaged", where + entry,
        events.problem().empty() ? "it is no JSON object" : events.problem()};
}

} // namespace duo
