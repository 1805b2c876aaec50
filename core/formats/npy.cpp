// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npy.h"

#include "core/model/tensor.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

namespace duo {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxRank = 64; // NumPy's own limit

struct Fields {
    std::optional<std::string> descr;
    std::optional<bool> fortranOrder;
    std::optional<std::vector<std::int64_t>> shape;
};

/// Reads the one form NumPy writes: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } in any order.
class HeaderParser
{
public:
    explicit HeaderParser(std::string_view text)
        : m_rest(text)
    {
    }

    /// Nothing if the text is not such a dictionary, or leaves a key out or has another.
    std::optional<Fields> parse()
    {
        Fields fields;
        if (!take('{'))
            return std::nullopt;
        while (!take('}')) {
            const auto key = quoted();
            if (!key || !take(':') || !value(*key, fields))
                return std::nullopt;
            if (!take(',') && !startsWith('}'))
                return std::nullopt;
        }
        skipSpace();
        const bool complete = fields.descr && fields.fortranOrder && fields.shape && m_rest.empty();
        return complete ? std::optional(fields) : std::nullopt;
    }

private:
    bool value(const std::string& key, Fields& fields)
    {
        if (key == "descr" && !fields.descr)
            return (fields.descr = startsWith('[') ? structure() : quoted()).has_value();
        if (key == "fortran_order" && !fields.fortranOrder)
            return (fields.fortranOrder = boolean()).has_value();
        if (key == "shape" && !fields.shape)
            return (fields.shape = tuple()).has_value();
        return false;
    }

    void skipSpace() { m_rest.remove_prefix(std::min(m_rest.find_first_not_of(" \t\n"), m_rest.size())); }

    bool startsWith(char c)
    {
        skipSpace();
        return m_rest.starts_with(c);
    }

    bool take(char c)
    {
        if (!startsWith(c))
            return false;
        m_rest.remove_prefix(1);
        return true;
    }

    bool takeWord(std::string_view word)
    {
        skipSpace();
        if (!m_rest.starts_with(word))
            return false;
        m_rest.remove_prefix(word.size());
        return true;
    }

    std::optional<std::string> quoted()
    {
        const char quote = startsWith('"') ? '"' : '\'';
        if (!take(quote))
            return std::nullopt;
        const std::size_t end = m_rest.find(quote);
        if (end == std::string_view::npos)
            return std::nullopt;
        std::string text(m_rest.substr(0, end));
        m_rest.remove_prefix(end + 1);
        return text;
    }

    /// A structured type is a list; it is only skipped, the type itself is refused later.
    std::optional<std::string> structure()
    {
        int depth = 0;
        for (std::size_t i = 0; i < m_rest.size(); ++i) {
            depth += m_rest[i] == '[' ? 1 : m_rest[i] == ']' ? -1 : 0;
            if (depth == 0) {
                m_rest.remove_prefix(i + 1);
                return "a structure";
            }
        }
        return std::nullopt;
    }

    std::optional<bool> boolean()
    {
        if (takeWord("True"))
            return true;
        if (takeWord("False"))
            return false;
        return std::nullopt;
    }

    std::optional<std::vector<std::int64_t>> tuple()
    {
        std::vector<std::int64_t> dims;
        if (!take('('))
            return std::nullopt;
        while (!take(')')) {
            skipSpace();
            std::int64_t dim = 0;
            const auto [end, error] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), dim);
            if (error != std::errc() || dim < 0 || dims.size() == kMaxRank)
                return std::nullopt;
            m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
            dims.push_back(dim);
            if (!take(',') && !startsWith(')'))
                return std::nullopt;
        }
        return dims;
    }

    std::string_view m_rest;
};

ElementType typeOf(std::string_view descr)
{
    struct Row {
        std::string_view code;
        ElementType type;
    };
    static constexpr std::array<Row, 14> kRows{{{"f4", ElementType::Float32}, {"f8", ElementType::Float64},
        {"f2", ElementType::Float16}, {"i1", ElementType::Int8}, {"i2", ElementType::Int16}, {"i4", ElementType::Int32},
        {"i8", ElementType::Int64}, {"u1", ElementType::UInt8}, {"u2", ElementType::UInt16},
        {"u4", ElementType::UInt32}, {"u8", ElementType::UInt64}, {"b1", ElementType::Bool},
        {"c8", ElementType::Complex64}, {"c16", ElementType::Complex128}}};
    if (descr.empty() || (descr[0] != '<' && descr[0] != '|'))
        return ElementType::Undefined;
    const auto* const row = std::ranges::find(kRows, descr.substr(1), &Row::code);
    return row == kRows.end() ? ElementType::Undefined : row->type;
}

Error badHeader(const std::string& where)
{
    return {ErrorCode::BadData, "array has a damaged header", where, "write it again with numpy.save or numpy.savez"};
}

/// The dictionary's text and its length with everything before it, or nothing.
struct HeaderText {
    std::string_view text;
    std::size_t end = 0;
};

std::optional<HeaderText> headerText(std::string_view start)
{
    const auto byteAt = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(start[i])); };
    if (start.size() < kMagic.size() + 4)
        return std::nullopt;
    const std::size_t version = byteAt(6);
    const std::size_t lengthBytes = version == 1 ? 2 : 4;
    const std::size_t begin = 8 + lengthBytes;
    if (version < 1 || version > 3 || start.size() < begin)
        return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < lengthBytes; ++i)
        length |= byteAt(8 + i) << (8 * i);
    if (length > start.size() - begin)
        return std::nullopt;
    return HeaderText{start.substr(begin, length), begin + length};
}

Status checkOrder(const Fields& fields, const std::string& where)
{
    if (fields.descr->starts_with('>'))
        return Error{
            ErrorCode::BadData, "array is big-endian", where, "save array.astype(array.dtype.newbyteorder('<'))"};
    if (*fields.fortranOrder && fields.shape->size() > 1)
        return Error{ErrorCode::BadData, "array is in Fortran order", where, "save numpy.ascontiguousarray(array)"};
    return success();
}

} // namespace

Result<NpyHeader> parseNpyHeader(std::span<const std::byte> start, std::int64_t fileBytes, const std::string& where)
{
    const std::string_view bytes(reinterpret_cast<const char*>(start.data()), start.size());
    if (!bytes.starts_with(kMagic))
        return Error{ErrorCode::BadData, "not a NumPy array", where, "write it with numpy.save or numpy.savez"};
    const auto header = headerText(bytes);
    const auto fields = header ? HeaderParser(header->text).parse() : std::nullopt;
    if (!fields)
        return badHeader(where);
    DUO_CHECK(checkOrder(*fields, where));
    NpyHeader out;
    out.type = typeOf(*fields->descr);
    if (out.type == ElementType::Undefined)
        return Error{ErrorCode::BadData, "array has elements that are no plain numbers", where,
            "its type is " + *fields->descr + "; save numbers"};
    out.dims = *fields->shape;
    out.dataOffset = static_cast<std::int64_t>(header->end);
    const auto count = elementCount(out.dims);
    const auto size = count ? packedBytes(out.type, *count) : std::nullopt;
    if (!size)
        return badHeader(where);
    out.dataBytes = *size;
    if (fileBytes - out.dataOffset != out.dataBytes)
        return Error{ErrorCode::BadData, "array has another size than its shape says", where,
            std::to_string(fileBytes - out.dataOffset) + " bytes of " + std::to_string(out.dataBytes)
                + "; the file is damaged"};
    return out;
}

} // namespace duo
