// SPDX-License-Identifier: Apache-2.0
#include "core/rules/python_literal.h"

#include "core/rules/python_groups.h"
#include "core/support/digits.h"
#include "core/support/json.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace duo {
namespace {

struct PythonToken {
    enum class Kind { End, Bad, Text, Number, Name, Sign };
    Kind kind = Kind::End;
    std::string text; // Text: content; Bad: what is wrong; else as written, "..." included as signs
    std::size_t at = 0; // first byte
};

/// Line breaks and comments separate tokens and are left out. Each byte is read once, whatever the text.
class PythonTokens
{
public:
    explicit PythonTokens(std::string_view text);

    [[nodiscard]] const PythonToken& peek() const { return m_token; }
    PythonToken take();
    void skipLine(); // to the first token of the next line

private:
    void skipSpace();
    PythonToken read();
    PythonToken readText(std::size_t start, bool isRaw);
    [[nodiscard]] std::string readEscape(std::string& problem);
    [[nodiscard]] char at(std::size_t index) const { return index < m_text.size() ? m_text[index] : '\0'; }

    std::string_view m_text;
    std::size_t m_at = 0; // behind m_token
    PythonToken m_token;
};

void appendUtf8(std::string& into, std::uint32_t code)
{
    const auto byte = [&](std::uint32_t bits) { into += static_cast<char>(static_cast<unsigned char>(bits)); };
    if (code < 0x80U) {
        byte(code);
    } else if (code < 0x800U) {
        byte(0xC0U | (code >> 6U));
        byte(0x80U | (code & 0x3FU));
    } else if (code < 0x10000U) {
        byte(0xE0U | (code >> 12U));
        byte(0x80U | ((code >> 6U) & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    } else {
        byte(0xF0U | (code >> 18U));
        byte(0x80U | ((code >> 12U) & 0x3FU));
        byte(0x80U | ((code >> 6U) & 0x3FU));
        byte(0x80U | (code & 0x3FU));
    }
}

/// The letter of a one-letter escape, or nothing.
std::optional<char> simpleEscape(char c)
{
    constexpr std::string_view kLetters = "abfnrtv\\'\"";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
    const std::size_t found = kLetters.find(c);
    return found == std::string_view::npos ? std::nullopt : std::optional<char>(kMeanings[found]);
}

PythonTokens::PythonTokens(std::string_view text)
    : m_text(text)
{
    m_token = read();
}

PythonToken PythonTokens::take()
{
    PythonToken token = std::move(m_token);
    m_token = read();
    return token;
}

void PythonTokens::skipLine()
{
    m_at = std::min(m_text.find('\n', m_token.at), m_text.size());
    m_token = read();
}

void PythonTokens::skipSpace()
{
    while (m_at < m_text.size()) {
        const char c = m_text[m_at];
        if (c == '#')
            m_at = std::min(m_text.find('\n', m_at), m_text.size());
        else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f')
            ++m_at;
        else if (c == '\\' && (at(m_at + 1) == '\n' || (at(m_at + 1) == '\r' && at(m_at + 2) == '\n')))
            m_at += 2;
        else
            return;
    }
}

PythonToken PythonTokens::read()
{
    skipSpace();
    const std::size_t start = m_at;
    const char c = at(m_at);
    if (m_at >= m_text.size())
        return {PythonToken::Kind::End, {}, start};
    if (c == '"' || c == '\'')
        return readText(start, false);
    if (isNameStart(c)) {
        while (m_at < m_text.size() && (isNameStart(at(m_at)) || isDigit(at(m_at))))
            ++m_at;
        const std::string_view name = m_text.substr(start, m_at - start);
        const bool isPrefix = name.size() <= 2 && (at(m_at) == '"' || at(m_at) == '\'');
        if (isPrefix && (name == "r" || name == "R" || name == "u" || name == "U"))
            return readText(start, name == "r" || name == "R");
        if (isPrefix)
            return {PythonToken::Kind::Bad, "bytes and f-strings are not read", start};
        return {PythonToken::Kind::Name, std::string(name), start};
    }
    const bool isSigned = c == '-' && (isDigit(at(m_at + 1)) || at(m_at + 1) == '.');
    if (isDigit(c) || isSigned || (c == '.' && isDigit(at(m_at + 1)))) {
        ++m_at;
        while (isDigit(at(m_at)) || isNameStart(at(m_at)) || at(m_at) == '.'
            || ((at(m_at) == '-' || at(m_at) == '+') && (at(m_at - 1) == 'e' || at(m_at - 1) == 'E')))
            ++m_at;
        return {PythonToken::Kind::Number, std::string(m_text.substr(start, m_at - start)), start};
    }
    ++m_at;
    return {PythonToken::Kind::Sign, std::string(1, c), start};
}

PythonToken PythonTokens::readText(std::size_t start, bool isRaw)
{
    const char quote = at(m_at);
    const bool isLong = at(m_at + 1) == quote && at(m_at + 2) == quote;
    const std::string end(isLong ? 3 : 1, quote);
    m_at += end.size();
    std::string content;
    std::string problem;
    while (m_at < m_text.size() && m_text.compare(m_at, end.size(), end) != 0) {
        if (at(m_at) == '\n' && !isLong)
            return {PythonToken::Kind::Bad, "a text that does not end on its line", start};
        if (at(m_at) != '\\' || m_at + 1 >= m_text.size()) {
            content += m_text[m_at++];
        } else if (isRaw) {
            content += m_text.substr(m_at, 2);
            m_at += 2;
        } else {
            content += readEscape(problem);
        }
    }
    if (m_at >= m_text.size())
        return {PythonToken::Kind::Bad, "a text that does not end", start};
    m_at += end.size();
    if (!problem.empty())
        return {PythonToken::Kind::Bad, problem, start};
    return {PythonToken::Kind::Text, std::move(content), start};
}

/// At a backslash with something behind it; an escape Python does not know stays as it is, as in Python.
std::string PythonTokens::readEscape(std::string& problem)
{
    const std::size_t start = m_at;
    const char c = at(m_at + 1);
    m_at += 2;
    if (c == '\n')
        return {};
    if (const auto letter = simpleEscape(c))
        return {*letter};
    const bool isOctal = c >= '0' && c <= '7';
    const std::size_t most = isOctal ? 3 : c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (most == 0) {
        if (c == 'N')
            problem = "named characters (\\N{...}) are not read";
        return std::string(m_text.substr(start, 2));
    }
    const std::size_t first = isOctal ? start + 1 : start + 2;
    const char* begin = m_text.data() + std::min(first, m_text.size());
    const char* end = begin + std::min(most, m_text.size() - std::min(first, m_text.size()));
    std::uint32_t code = 0;
    const auto [rest, error] = std::from_chars(begin, end, code, isOctal ? 8 : 16);
    m_at = first + static_cast<std::size_t>(rest - begin);
    const bool isWhole = error == std::errc{} && (isOctal || rest == begin + most);
    if (!isWhole || code > 0x10FFFFU || (code >= 0xD800U && code <= 0xDFFFU)) {
        problem = "an escape that is no character";
        return {};
    }
    std::string text;
    appendUtf8(text, code);
    return text;
}

using Json = nlohmann::ordered_json;
using Kind = PythonValue::Kind;
constexpr int kMaxDepth = 64;

class Parser
{
public:
    explicit Parser(std::string_view text)
        : m_text(text)
        , m_tokens(text)
    {
    }

    std::variant<PythonAssignment, TextProblem> run()
    {
        PythonAssignment result;
        skipImports();
        const PythonToken first = m_tokens.peek();
        result.value = value(0);
        if (!failed() && result.value.kind == Kind::Path && result.value.path.size() == 1 && isSign("=", ":")) {
            result.name = result.value.path.front();
            if (accept(":"))
                (void)value(0); // the annotation
            expect("=");
            result.value = value(0);
        }
        (void)accept(",");
        if (!failed() && m_tokens.peek().kind != PythonToken::Kind::End)
            fail(m_tokens.peek().at, "text after the end of the value", "keep one value only");
        if (first.kind == PythonToken::Kind::End)
            m_problem = {"nothing to read", "", "write nncf.IgnoredScope(...)", placeAt(m_text, first.at)};
        if (m_problem)
            return *std::move(m_problem);
        return result;
    }

private:
    [[nodiscard]] bool failed() const { return m_problem.has_value(); }

    void fail(std::size_t at, std::string what, std::string whatToDo)
    {
        if (!m_problem)
            m_problem = TextProblem{std::move(what), {}, std::move(whatToDo), placeAt(m_text, at)};
    }

    [[nodiscard]] bool isSign(std::string_view a, std::string_view b = {})
    {
        const PythonToken& token = m_tokens.peek();
        return token.kind == PythonToken::Kind::Sign && (token.text == a || (!b.empty() && token.text == b));
    }

    bool accept(std::string_view sign)
    {
        if (failed() || !isSign(sign))
            return false;
        next();
        return true;
    }

    PythonToken next()
    {
        PythonToken token = m_tokens.take();
        if (token.kind == PythonToken::Kind::Bad)
            fail(token.at, token.text, "write Python literals");
        return token;
    }

    void expect(std::string_view sign)
    {
        if (!accept(sign))
            fail(m_tokens.peek().at, "'" + std::string(sign) + "' expected", "write Python literals, names and calls");
    }

    void skipImports()
    {
        while (m_tokens.peek().kind == PythonToken::Kind::Name
            && (m_tokens.peek().text == "import" || m_tokens.peek().text == "from"))
            m_tokens.skipLine();
    }

    PythonValue value(int depth)
    {
        PythonValue result;
        const PythonToken token = m_tokens.peek();
        result.at = token.at;
        if (failed())
            return result;
        if (depth > kMaxDepth) {
            fail(token.at, "nested too deeply", "at most " + std::to_string(kMaxDepth) + " levels are read");
            return result;
        }
        switch (token.kind) {
        case PythonToken::Kind::Text:
            result.kind = Kind::Text;
            while (!failed() && m_tokens.peek().kind == PythonToken::Kind::Text) // "a" "b" is one text
                result.text += next().text;
            return result;
        case PythonToken::Kind::Number:
            result.kind = Kind::Number;
            result.text = next().text;
            return result;
        case PythonToken::Kind::Name:
            return named(depth);
        default:
            break;
        }
        if (accept("[")) {
            elements(result, "]", depth);
        } else if (accept("(")) {
            tuple(result, depth);
        } else if (accept("{")) {
            dict(result, depth);
        } else {
            const PythonToken bad = next();
            fail(bad.at, bad.kind == PythonToken::Kind::End ? "the text ends here" : "'" + bad.text + "' not expected",
                "write Python literals, names and calls");
        }
        return result;
    }

    void elements(PythonValue& into, std::string_view end, int depth)
    {
        into.kind = Kind::List;
        while (!failed() && !accept(end)) {
            into.items.push_back(value(depth + 1));
            separator(end);
        }
    }

    void separator(std::string_view end)
    {
        if (!failed() && !accept(",") && !isSign(end))
            fail(m_tokens.peek().at, "',' or '" + std::string(end) + "' expected",
                "write Python literals, names and calls");
    }

    /// "(a)" is a, "(a,)" and "()" are tuples.
    void tuple(PythonValue& into, int depth)
    {
        const std::size_t at = into.at;
        into.kind = Kind::List;
        bool isTuple = accept(")");
        if (isTuple)
            return;
        into.items.push_back(value(depth + 1));
        isTuple = accept(",");
        while (!failed() && !accept(")")) {
            into.items.push_back(value(depth + 1));
            separator(")");
            isTuple = true;
        }
        if (!isTuple && !failed()) {
            PythonValue inner = std::move(into.items.front());
            into = std::move(inner);
            into.at = at;
        }
    }

    void dict(PythonValue& into, int depth)
    {
        into.kind = Kind::Dict;
        while (!failed() && !accept("}")) {
            PythonValue key = value(depth + 1);
            if (!isSign(":") && into.named.empty()) { // a set
                into.kind = Kind::List;
                into.items.push_back(std::move(key));
                separator("}");
                elements(into, "}", depth);
                return;
            }
            if (!failed() && key.kind != Kind::Text)
                fail(key.at, "a key that is not text", "write keys as texts in quotes");
            expect(":");
            into.named.push_back({std::move(key.text), value(depth + 1)});
            separator("}");
        }
    }

    PythonValue named(int depth)
    {
        PythonValue result;
        const PythonToken first = next();
        result.at = first.at;
        if (first.text == "None")
            return result;
        if (first.text == "True" || first.text == "False") {
            result.kind = Kind::Flag;
            result.flag = first.text == "True";
            return result;
        }
        result.kind = Kind::Path;
        result.path.push_back(first.text);
        while (!failed()) {
            if (accept(".")) {
                const PythonToken name = next();
                if (name.kind != PythonToken::Kind::Name)
                    fail(name.at, "a name expected after '.'", "write Python literals, names and calls");
                result.path.push_back(name.text);
            } else if (accept("[")) {
                index(result, depth);
            } else if (accept("(")) {
                arguments(result, depth);
                if (!becomesPath(result))
                    return result;
            } else {
                return result;
            }
        }
        return result;
    }

    void index(PythonValue& path, int depth)
    {
        const PythonValue key = value(depth + 1);
        if (key.kind != Kind::Number && key.kind != Kind::Text)
            fail(key.at, "an index that is neither number nor text", "write model.layer[0]");
        path.path.push_back(key.text);
        expect("]");
    }

    void arguments(PythonValue& call, int depth)
    {
        call.kind = Kind::Call;
        while (!failed() && !accept(")")) {
            PythonValue argument = value(depth + 1);
            if (!failed() && argument.kind == Kind::Path && argument.path.size() == 1 && accept("=")) {
                const std::string name = argument.path.front();
                if (call.argument(name) != nullptr)
                    fail(argument.at, "'" + name + "' is given twice", "keep one of them");
                call.named.push_back({name, value(depth + 1)});
            } else {
                call.items.push_back(std::move(argument));
            }
            separator(")");
        }
    }

    static bool becomesPath(PythonValue& call)
    {
        if (call.path.back() != "get_submodule" || call.items.size() != 1 || call.items[0].kind != Kind::Text)
            return false;
        const std::string dotted = std::move(call.items[0].text);
        call.kind = Kind::Path;
        call.items.clear();
        call.path.pop_back();
        for (std::size_t start = 0; start <= dotted.size() && !dotted.empty();) {
            const std::size_t end = std::min(dotted.find('.', start), dotted.size());
            call.path.push_back(dotted.substr(start, end - start));
            start = end + 1;
        }
        return true;
    }

    std::string_view m_text;
    PythonTokens m_tokens;
    std::optional<TextProblem> m_problem;
};

std::string pathText(const std::vector<std::string>& path)
{
    std::string text;
    for (const std::string& part : path)
        text += (text.empty() ? "" : ".") + part;
    return text;
}

Json numberJson(const std::string& text)
{
    std::string digits = text;
    std::erase(digits, '_');
    const Json number = Json::parse(digits, nullptr, false);
    return number.is_number() ? number : Json(text);
}

} // namespace

const PythonValue* PythonValue::argument(std::string_view name) const
{
    const auto found
        = std::find_if(named.begin(), named.end(), [&](const auto& candidate) { return candidate.name == name; });
    return found == named.end() ? nullptr : &found->value;
}

std::variant<PythonAssignment, TextProblem> parsePython(std::string_view text)
{
    return Parser(text).run();
}

Json pythonJson(const PythonValue& value)
{
    switch (value.kind) {
    case Kind::None:
        return {};
    case Kind::Flag:
        return value.flag;
    case Kind::Number:
        return numberJson(value.text);
    case Kind::Text:
        return value.text;
    case Kind::Path:
        return pathText(value.path);
    case Kind::Call:
        return pathText(value.path) + "(...)";
    case Kind::List: {
        Json list = Json::array();
        for (const PythonValue& item : value.items)
            list.push_back(pythonJson(item));
        return list;
    }
    case Kind::Dict: {
        Json object = Json::object();
        for (const auto& [key, item] : value.named)
            object[key] = pythonJson(item);
        return object;
    }
    }
    return {};
}

std::string pythonString(const std::string& text)
{
    return jsonText(text);
}

} // namespace duo
