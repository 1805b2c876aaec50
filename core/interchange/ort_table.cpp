// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/ort_table.h"

#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace duo {
namespace {

constexpr std::size_t kWord = 4; // bytes of an offset and of a length
// Where its few tables stand in what is written here: offsets lead forwards, to words.
constexpr std::size_t kTableLayout = 4;
constexpr std::size_t kPairLayout = 12;
constexpr std::size_t kTable = 20;
constexpr std::size_t kPairs = 28;
constexpr std::size_t kPairBytes = 12;
constexpr std::size_t kFirstField = 4; // of a layout
constexpr std::size_t kSecondField = 6;

std::string numberText(float number)
{
    std::array<char, 64> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

float magnitude(const TensorRange& range)
{
    return std::max(std::abs(range.lowest), std::abs(range.highest));
}

class Writer
{
public:
    void word(std::size_t at, std::size_t value)
    {
        for (std::size_t i = 0; i < kWord; ++i)
            byte(at + i, value >> (8 * i));
    }
    void half(std::size_t at, std::size_t value)
    {
        byte(at, value);
        byte(at + 1, value >> 8U);
    }
    /// With its length in front and a zero behind, at the end. @return where it is
    std::size_t text(std::string_view text)
    {
        const std::size_t at = (m_bytes.size() + kWord - 1) / kWord * kWord;
        word(at, text.size());
        m_bytes += text;
        m_bytes.push_back('\0');
        return at;
    }
    void finish() { m_bytes.resize((m_bytes.size() + kWord - 1) / kWord * kWord); }
    std::string take() { return std::move(m_bytes); }

private:
    void byte(std::size_t at, std::size_t value)
    {
        m_bytes.resize(std::max(m_bytes.size(), at + 1));
        m_bytes[at] = static_cast<char>(value & 0xFFU);
    }
    std::string m_bytes;
};

/// Offsets of a file that may say anything.
class Reader
{
public:
    explicit Reader(std::string_view bytes)
        : m_bytes(bytes)
    {
    }

    [[nodiscard]] std::optional<std::size_t> word(std::size_t at) const { return number(at, kWord); }
    /// Where an offset at `at` leads.
    [[nodiscard]] std::optional<std::size_t> target(std::size_t at) const
    {
        const auto offset = word(at);
        return offset && *offset > 0 && at + *offset < m_bytes.size() ? std::optional(at + *offset) : std::nullopt;
    }
    /// Where a field of a table stands; nothing where it is left out.
    [[nodiscard]] std::optional<std::size_t> field(std::size_t table, std::size_t place) const
    {
        const auto back = word(table);
        if (!back)
            return std::nullopt;
        const auto layout = static_cast<std::int64_t>(table) - static_cast<std::int32_t>(*back);
        if (layout < 0 || static_cast<std::size_t>(layout) >= m_bytes.size())
            return std::nullopt;
        const auto start = static_cast<std::size_t>(layout);
        const auto size = number(start, 2);
        const auto offset = size && place + 2 <= *size ? number(start + place, 2) : std::nullopt;
        return offset && *offset > 0 ? std::optional(table + *offset) : std::nullopt;
    }
    [[nodiscard]] std::optional<std::string_view> text(std::optional<std::size_t> field) const
    {
        const auto at = field ? target(*field) : std::nullopt;
        const auto length = at ? word(*at) : std::nullopt;
        if (!length || *length > m_bytes.size() - *at - kWord)
            return std::nullopt;
        return m_bytes.substr(*at + kWord, *length);
    }
    /// Of the vector that a field leads to: where it begins and how many words it has.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> words(std::optional<std::size_t> field) const
    {
        const auto at = field ? target(*field) : std::nullopt;
        const auto count = at ? word(*at) : std::nullopt;
        if (!count || *count > (m_bytes.size() - *at - kWord) / kWord)
            return std::nullopt;
        return std::pair(*at + kWord, *count);
    }

private:
    [[nodiscard]] std::optional<std::size_t> number(std::size_t at, std::size_t bytes) const
    {
        if (at > m_bytes.size() || m_bytes.size() - at < bytes)
            return std::nullopt;
        std::size_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i)
            value |= static_cast<std::size_t>(static_cast<unsigned char>(m_bytes[at + i])) << (8 * i);
        return value;
    }
    std::string_view m_bytes;
};

/// @return false: no number
bool addEntry(std::string_view tensor, std::string_view number, ForeignEncodings& into)
{
    double value = 0;
    const char* const end = number.data() + number.size();
    const auto read = std::from_chars(number.data(), end, value);
    if (number.empty() || read.ec != std::errc() || read.ptr != end)
        return false;
    const auto most = static_cast<float>(value);
    const std::string name(tensor);
    if (!std::isfinite(most) || most < 0)
        into.notExpressed.push_back("tensor " + inQuotes(name) + " has a largest number that is no magnitude");
    else
        into.entries.push_back({.tensor = name, .range = ForeignRange{-most, most}});
    return true;
}

struct Line {
    std::string_view tensor;
    std::string_view number;
};

Line lineOf(std::string_view line)
{
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    const std::size_t space = line.rfind(' ');
    if (space == std::string_view::npos || space == 0)
        return {line, {}};
    return {line.substr(0, space), line.substr(space + 1)};
}

std::vector<TensorRange> inOrder(std::vector<TensorRange> ranges)
{
    std::ranges::sort(ranges, {}, &TensorRange::tensor);
    return ranges;
}

} // namespace

std::string ortTableText(std::vector<TensorRange> ranges)
{
    std::string text;
    for (const TensorRange& range : inOrder(std::move(ranges)))
        text += range.tensor + " " + numberText(magnitude(range)) + "\n";
    return text;
}

std::string ortTableFlatbuffers(std::vector<TensorRange> ranges)
{
    const std::vector<TensorRange> sorted = inOrder(std::move(ranges));
    Writer writer;
    writer.word(0, kTable);
    writer.half(kTableLayout, 6); // bytes of the layout, of the table, and where its one field is
    writer.half(kTableLayout + 2, 8);
    writer.half(kTableLayout + kFirstField, kWord);
    writer.half(kPairLayout, 8);
    writer.half(kPairLayout + 2, kPairBytes);
    writer.half(kPairLayout + kFirstField, kWord);
    writer.half(kPairLayout + kSecondField, 2 * kWord);
    writer.word(kTable, kTable - kTableLayout);
    writer.word(kTable + kWord, kPairs - kTable - kWord);
    writer.word(kPairs, sorted.size());
    const std::size_t offsets = kPairs + kWord;
    const std::size_t pairs = offsets + kWord * sorted.size();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const std::size_t pair = pairs + kPairBytes * i;
        writer.word(offsets + kWord * i, pair - offsets - kWord * i);
        writer.word(pair, pair - kPairLayout);
        writer.word(pair + 2 * kWord, 0); // room
    }
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const std::size_t key = pairs + kPairBytes * i + kWord;
        writer.word(key, writer.text(sorted[i].tensor) - key);
        writer.word(key + kWord, writer.text(numberText(magnitude(sorted[i]))) - key - kWord);
    }
    writer.finish();
    return writer.take();
}

bool isOrtTable(std::string_view text)
{
    const Line first = lineOf(text.substr(0, text.find('\n')));
    ForeignEncodings ignored{ForeignForm::OrtTable, {}, {}};
    return !first.tensor.starts_with('{') && !first.tensor.starts_with('[')
        && addEntry(first.tensor, first.number, ignored);
}

/// Text begins with a number that no file is as long as.
bool isOrtFlatbuffers(std::string_view bytes)
{
    const Reader reader(bytes);
    const auto table = reader.target(0);
    return table && reader.words(reader.field(*table, kFirstField)).has_value();
}

Result<ForeignEncodings> readOrtTable(std::string_view text, const std::string& name)
{
    ForeignEncodings result{ForeignForm::OrtTable, {}, {}};
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const Line line = lineOf(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.tensor.empty() && !addEntry(line.tensor, line.number, result))
            return Error{ErrorCode::BadData, "no tensor with a number behind it",
                name + " line " + std::to_string(number), "take the file as its tool wrote it"};
    }
    return result;
}

Result<ForeignEncodings> readOrtFlatbuffers(std::string_view bytes, const std::string& name)
{
    const Reader reader(bytes);
    const auto table = reader.target(0);
    const auto pairs = table ? reader.words(reader.field(*table, kFirstField)) : std::nullopt;
    const auto wrong = [&](std::size_t i) {
        return Error{ErrorCode::BadData, "no tensor with a number behind it", name + " entry " + std::to_string(i),
            "take the file as its tool wrote it"};
    };
    ForeignEncodings result{ForeignForm::OrtTable, {}, {}};
    std::size_t named = 0; // bytes: many entries may lead to one long name
    for (std::size_t i = 0; pairs && i < pairs->second; ++i) {
        const auto pair = reader.target(pairs->first + kWord * i);
        const auto key = pair ? reader.text(reader.field(*pair, kFirstField)) : std::nullopt;
        const auto value = pair ? reader.text(reader.field(*pair, kSecondField)) : std::nullopt;
        named += key ? key->size() : 0;
        if (!key || !value || named > bytes.size() || !addEntry(*key, *value, result))
            return wrong(i);
    }
    return result;
}

} // namespace duo
