// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/json_pieces.h"

#include "core/formats/pt2/python_numbers.h"

#include <algorithm>
#include <optional>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxDepth = 256;
constexpr std::size_t kMaxValues = std::size_t{8} << 20; // of one piece

/// Builds pieces from the events of the parser. Returns false from an event to end the parse.
class PieceBuilder : public nlohmann::json_sax<Json>
{
public:
    PieceBuilder(const JsonPieceOptions& options, const std::function<Status(JsonPiece&&)>& take, const JobContext& job)
        : m_options(options)
        , m_take(take)
        , m_job(job)
    {
    }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
    bool binary(binary_t& /*value*/) override { return false; } // not in JSON
    bool string(string_t& value) override
    {
        if (isLongText()) {
            if (m_longBytes + value.size() > m_options.longTextBytes) {
                ++m_read.leftOutTexts;
                return true;
            }
            m_longBytes += value.size();
        }
        return add(std::move(value));
    }
    bool start_object(std::size_t /*count*/) override { return open(Json::object()); }
    bool start_array(std::size_t /*count*/) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override
    {
        m_key = std::move(name);
        return true;
    }
    bool parse_error(std::size_t byte, const std::string& /*token*/, const nlohmann::detail::exception& /*e*/) override
    {
        m_faultByte = byte;
        return false;
    }

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }
    [[nodiscard]] std::size_t faultByte() const { return m_faultByte; }
    [[nodiscard]] const JsonPiecesRead& read() const { return m_read; }

private:
    bool isBuilding() const { return !m_stack.empty(); }

    bool isLongText() const
    {
        return isBuilding() && m_stack.back()->is_object()
            && std::find(m_options.longTexts.begin(), m_options.longTexts.end(), m_key) != m_options.longTexts.end();
    }

    bool refuse(const std::string& what)
    {
        m_error = Error{m_options.code, what, {}, "export the model again"};
        return false;
    }

    /// Puts a value where it belongs; null if there is no room for more.
    Json* place(Json value)
    {
        if (++m_values > kMaxValues)
            return nullptr;
        Json& top = *m_stack.back();
        if (top.is_array()) {
            auto& items = top.get_ref<Json::array_t&>();
            items.push_back(std::move(value));
            return &items.back();
        }
        // Not through operator[]: it searches the names before.
        Json::object_t::Container& members = top.get_ref<Json::object_t&>();
        members.emplace_back(std::move(m_key), std::move(value));
        return &members.back().second;
    }

    bool add(Json value)
    {
        if (isBuilding())
            return place(std::move(value)) != nullptr || refuse("a value holds too many others");
        if (m_open.empty())
            return refuse("the document is no object");
        return handOut(std::move(value));
    }

    bool open(Json value)
    {
        if (m_stack.size() + m_open.size() >= kMaxDepth)
            return refuse("the document is nested too deeply");
        if (isBuilding()) {
            Json* placed = place(std::move(value));
            if (placed == nullptr)
                return refuse("a value holds too many others");
            m_stack.push_back(placed);
            return true;
        }
        if (m_open.empty()) {
            if (!value.is_object())
                return refuse("the document is no object");
            m_open.emplace_back();
            return true;
        }
        const std::string path = m_open.back() + (m_open.back().empty() ? "" : "/") + m_key;
        const bool isOpened
            = !inArray() && std::find(m_options.opened.begin(), m_options.opened.end(), path) != m_options.opened.end();
        if (isOpened) {
            m_open.push_back(path);
            m_arrays.push_back(value.is_array());
            m_key.clear();
            return true;
        }
        m_pieceKey = std::move(m_key);
        m_key.clear();
        m_piece = std::move(value);
        m_values = 0;
        m_stack.push_back(&m_piece);
        return true;
    }

    bool close()
    {
        if (!isBuilding()) {
            m_open.pop_back();
            if (!m_arrays.empty())
                m_arrays.pop_back();
            m_key.clear();
            return true;
        }
        m_stack.pop_back();
        if (isBuilding())
            return true;
        m_key = std::move(m_pieceKey);
        return handOut(std::move(m_piece));
    }

    bool inArray() const { return !m_arrays.empty() && m_arrays.back(); }

    bool handOut(Json value)
    {
        const Status taken = m_job.stopped()
            ? Status(cancelledError())
            : m_take(JsonPiece{m_open.back(), inArray() ? std::string{} : std::move(m_key), std::move(value)});
        m_key.clear();
        if (!taken)
            m_error = taken.error();
        return static_cast<bool>(taken);
    }

    const JsonPieceOptions& m_options;
    const std::function<Status(JsonPiece&&)>& m_take;
    const JobContext& m_job;
    std::vector<std::string> m_open; // opened containers, from the document
    std::vector<bool> m_arrays; // [m_open without the document]
    std::string m_key;
    std::string m_pieceKey;
    Json m_piece;
    std::vector<Json*> m_stack; // the piece under construction, and what is open in it
    std::size_t m_values = 0;
    std::size_t m_longBytes = 0;
    std::size_t m_faultByte = 0;
    JsonPiecesRead m_read;
    std::optional<Error> m_error;
};

} // namespace

Result<JsonPiecesRead> readJsonPieces(std::span<const std::byte> text, const std::string& where,
    const JsonPieceOptions& options, const std::function<Status(JsonPiece&&)>& take, const JobContext& job)
{
    const auto* characters = reinterpret_cast<const char*>(text.data());
    const std::string_view document(characters, text.size());
    const std::optional<std::string> quoted = quotePythonNumbers(document);
    const std::string_view parsed = quoted ? std::string_view(*quoted) : document;
    PieceBuilder builder(options, take, job);
    if (Json::sax_parse(parsed.data(), parsed.data() + parsed.size(), &builder))
        return builder.read();
    if (builder.error()) {
        Error error = *builder.error();
        if (error.where.empty() && error.code != ErrorCode::Cancelled)
            error.where = where;
        return error;
    }
    return Error{options.code, "not valid JSON", where + " byte " + std::to_string(builder.faultByte()),
        "export the model again, or copy or download the file again"};
}

} // namespace duo
