// SPDX-License-Identifier: Apache-2.0
#include "core/support/json_text.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t kMaxDepth = 64;

/// "unexpected '}'" of "[json.exception...] parse error at ...: syntax error while parsing value - unexpected '}';
/// ...".
std::string reasonOf(std::string_view message)
{
    const std::size_t dash = message.find(" - ");
    if (dash == std::string_view::npos)
        return {};
    const std::string_view reason = message.substr(dash + 3);
    return ", " + std::string(reason.substr(0, reason.find(';')));
}

/// Builds a document as it is read. The library's own builder looks for each key among all there are, and at each end
/// of a list or object through all that stand beside it: quadratic.
class DocumentBuilder : public nlohmann::json_sax<Json>
{
public:
    explicit DocumentBuilder(EqualKeys equalKeys)
        : m_equalKeys(equalKeys)
    {
    }
    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t& value) override { return add(std::move(value)); }
    bool start_object(std::size_t /*elements*/) override { return open(Json::object()); }
    bool start_array(std::size_t /*elements*/) override { return open(Json::array()); }
    bool end_array() override { return close(); }
    bool end_object() override { return takeEqualKeys() && close(); }
    bool key(string_t& key) override
    {
        m_open.back().key = std::move(key);
        return true;
    }
    bool parse_error(std::size_t byte, const std::string& /*token*/, const Json::exception& error) override
    {
        m_problem = TextProblem{"not valid JSON" + reasonOf(error.what()), {}, "correct the text there", {}};
        m_errorAt = byte > 0 ? byte - 1 : 0;
        return false;
    }

    Json document;

    /// Of what was refused.
    [[nodiscard]] TextProblem problem(std::string_view text) const
    {
        TextProblem problem = m_problem;
        if (m_errorAt)
            problem.place = placeAt(text, *m_errorAt);
        return problem;
    }

private:
    struct Open {
        Json value;
        std::string key{}; // of the member to come
    };

    bool add(Json value)
    {
        if (m_open.empty())
            document = std::move(value);
        else if (Json& parent = m_open.back().value; parent.is_array())
            parent.push_back(std::move(value));
        else
            parent.get_ref<Json::object_t&>().emplace_back(std::move(m_open.back().key), std::move(value));
        return true;
    }

    bool open(Json value)
    {
        m_open.push_back({std::move(value)});
        if (m_open.size() <= kMaxDepth)
            return true;
        m_problem
            = TextProblem{"nested too deeply", {}, "at most " + std::to_string(kMaxDepth) + " levels are read", {}};
        return false;
    }

    bool close()
    {
        Json value = std::move(m_open.back().value);
        m_open.pop_back();
        return add(std::move(value));
    }

    /// In the innermost object: the last value stands where the first did, or the first repeated key is refused.
    bool takeEqualKeys()
    {
        Json& object = m_open.back().value;
        auto& members = object.get_ref<Json::object_t&>();
        std::unordered_map<std::string_view, Json*> last;
        for (auto& [name, value] : members) {
            const bool isRepeated = !last.insert_or_assign(name, &value).second;
            if (isRepeated && m_equalKeys == EqualKeys::Refused)
                return refuseRepeated(name);
        }
        if (last.size() == members.size())
            return true;
        Json unique = Json::object();
        for (auto& [name, value] : members) {
            if (Json* const kept = std::exchange(last.at(name), nullptr))
                unique.get_ref<Json::object_t&>().emplace_back(name, *kept);
        }
        object = std::move(unique);
        return true;
    }

    bool refuseRepeated(const std::string& name)
    {
        std::string path;
        for (const Open& open : m_open) {
            if (&open == &m_open.back())
                path += (path.empty() ? "" : ".") + name;
            else if (open.value.is_array())
                path += "[" + std::to_string(open.value.size()) + "]";
            else
                path += (path.empty() ? "" : ".") + open.key;
        }
        m_problem = TextProblem{"a key stands twice", path, "keep one of them", {}};
        return false;
    }

    EqualKeys m_equalKeys;
    std::vector<Open> m_open; // outermost first
    TextProblem m_problem;
    std::optional<std::size_t> m_errorAt;
};

} // namespace

std::variant<Json, TextProblem> parseJsonText(std::string_view text, EqualKeys equalKeys)
{
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) // which the parser takes for the end
        return TextProblem{"not valid JSON, a byte of zero", {}, "take it away", placeAt(text, zero)};
    DocumentBuilder builder(equalKeys);
    if (!Json::sax_parse(text, &builder))
        return builder.problem(text);
    return std::move(builder.document);
}

} // namespace duo
