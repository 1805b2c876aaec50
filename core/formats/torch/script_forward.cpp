// SPDX-License-Identifier: Apache-2.0
#include "core/formats/torch/script_forward.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace duo {
namespace {

constexpr std::size_t kMostParameters = 64;
constexpr std::string_view kDef = "def forward(";

bool isLetter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string_view trimmed(std::string_view text)
{
    const auto isSpace = [](char c) { return c == ' ' || c == '\n' || c == '\r'; };
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

/// Where the bracket that is open before `at` closes; npos if nowhere.
std::size_t closing(std::string_view text, std::size_t at)
{
    int depth = 1;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (depth == 0)
            return at;
    }
    return std::string_view::npos;
}

/// The parts between commas that stand in no bracket.
std::vector<std::string_view> listed(std::string_view text)
{
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const char c = at < text.size() ? text[at] : ',';
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (c != ',' || (depth != 0 && at < text.size()))
            continue;
        if (const auto part = trimmed(text.substr(begin, at - begin)); !part.empty())
            parts.push_back(part);
        begin = at + 1;
    }
    return parts;
}

struct Header {
    std::string self;
    std::vector<std::string> names; // all parameters
    std::vector<ForwardParameter> tensors;
};

/// Nothing where tensors come in lists, tuples or dicts.
std::optional<Header> readHeader(std::string_view parameters)
{
    Header header;
    const auto parts = listed(parameters);
    if (parts.empty() || parts.size() > kMostParameters)
        return std::nullopt;
    for (const std::string_view part : parts) {
        const std::size_t colon = part.find(':');
        if (colon == std::string_view::npos)
            return std::nullopt;
        const std::string name(trimmed(part.substr(0, colon)));
        const std::string_view type = trimmed(part.substr(colon + 1, part.find('=', colon) - colon - 1));
        if (header.self.empty()) {
            header.self = name;
            continue;
        }
        header.names.push_back(name);
        const bool isOptional = type == "Optional[Tensor]";
        if (type == "Tensor" || isOptional)
            header.tensors.push_back({name, isOptional, {}});
        else if (type.find("Tensor") != std::string_view::npos)
            return std::nullopt;
    }
    return header;
}

/// Whether Python text has a `forward` of these parameters. Between its lines stands what pickle puts there.
bool isWritten(const Header& header, std::string_view debug)
{
    constexpr std::size_t kMost = 8192; // bytes of a header
    if (debug.find("_trace.py(") != std::string_view::npos)
        return false;
    for (std::size_t at = debug.find(kDef); at != std::string_view::npos; at = debug.find(kDef, at + 1)) {
        const std::size_t begin = at + kDef.size();
        const std::string_view rest = debug.substr(begin, kMost);
        const std::string_view text = rest.substr(0, closing(rest, 0));
        std::size_t from = 0;
        const bool isAll = std::ranges::all_of(header.names, [&](const std::string& name) {
            for (std::size_t found = text.find(name, from); found != std::string_view::npos;
                 found = text.find(name, found + 1)) {
                const std::size_t end = found + name.size();
                from = end;
                if ((found == 0 || !isLetter(text[found - 1])) && (end == text.size() || !isLetter(text[end])))
                    return true;
            }
            return false;
        });
        if (isAll)
            return true;
    }
    return false;
}

/// What happens to each parameter, line by line.
class Body
{
public:
    explicit Body(Header header)
        : m_header(std::move(header))
    {
        for (std::size_t p = 0; p < m_header.tensors.size(); ++p)
            m_parameterOf.emplace(m_header.tensors[p].name, p);
        m_takenBy.resize(m_header.tensors.size());
        m_paths.emplace(m_header.self, "");
    }

    /// False where it cannot be followed.
    bool read(std::string_view text)
    {
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            if (!readLine(trimmed(text.substr(0, end))))
                return false;
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return m_hasReturned;
    }

    ForwardOrder order() &&
    {
        for (std::size_t p = 0; p < m_takenBy.size(); ++p)
            m_header.tensors[p].takenBy.assign(m_takenBy[p].begin(), m_takenBy[p].end());
        return {std::move(m_header.tensors), std::move(m_returned)};
    }

private:
    /// What a bracket hands its contents to.
    enum class Taker { Nobody, Child, Operator, Check, Unknown };
    struct Open {
        Taker taker = Taker::Nobody;
        std::string child = {};
    };

    bool readLine(std::string_view line)
    {
        constexpr std::string_view kReturn = "return ";
        if (line.starts_with(kReturn))
            return readReturn(line.substr(kReturn.size()));
        const std::size_t equals = line.find(" = ");
        if (equals == std::string_view::npos)
            return follow(line);
        const std::string_view value = trimmed(line.substr(equals + 3));
        const auto targets = listed(line.substr(0, equals));
        for (const std::string_view target : targets) {
            if (m_parameterOf.contains(std::string(target)))
                return false; // written anew
        }
        if (targets.size() == 1 && takeName(std::string(targets.front()), value))
            return true;
        return follow(value);
    }

    /// `b = s.b`, `_0 = getattr(layers, "0")`, `mask0 = unchecked_cast(Tensor, mask)`, `h = x`.
    bool takeName(const std::string& name, std::string_view value)
    {
        constexpr std::string_view kCast = "unchecked_cast(Tensor, ";
        constexpr std::string_view kGet = "getattr(";
        m_paths.erase(name);
        m_kept.erase(name);
        if (value.starts_with(kCast) && value.ends_with(')'))
            value = value.substr(kCast.size(), value.size() - kCast.size() - 1);
        if (const auto parameter = m_parameterOf.find(std::string(value)); parameter != m_parameterOf.end()) {
            m_parameterOf.emplace(name, parameter->second);
            return true;
        }
        std::string_view above = value.substr(0, value.find('.'));
        std::string_view child = value.substr(std::min(above.size() + 1, value.size()));
        if (value.starts_with(kGet) && value.ends_with("\")")) {
            const std::size_t comma = value.find(", \"");
            above = value.substr(kGet.size(), std::max(comma, kGet.size()) - kGet.size());
            child = comma == std::string_view::npos ? std::string_view()
                                                    : value.substr(comma + 3, value.size() - comma - 5);
        }
        const auto path = m_paths.find(std::string(above));
        if (path != m_paths.end() && !child.empty() && std::ranges::all_of(child, isLetter)) {
            m_paths[name] = path->second.empty() ? std::string(child) : path->second + "." + std::string(child);
            return true;
        }
        if (value.starts_with('(') && closing(value, 1) == value.size() - 1) { // a tuple, which may be returned
            const std::string_view inside = value.substr(1, value.size() - 2);
            m_kept.emplace(name, inside);
            return std::ranges::all_of(
                listed(inside), [&](std::string_view part) { return isParameter(part) || follow(part); });
        }
        return false;
    }

    [[nodiscard]] bool isParameter(std::string_view text) const { return m_parameterOf.contains(std::string(text)); }

    bool readReturn(std::string_view value)
    {
        if (m_hasReturned)
            return false;
        m_hasReturned = true;
        std::string_view list = value;
        if (const auto kept = m_kept.find(std::string(value)); kept != m_kept.end())
            list = kept->second;
        else if (value.starts_with('(') && closing(value, 1) == value.size() - 1)
            list = value.substr(1, value.size() - 2);
        else
            return giveBack(value);
        return std::ranges::all_of(listed(list), [&](std::string_view part) { return giveBack(part); });
    }

    bool giveBack(std::string_view value)
    {
        const auto parameter = m_parameterOf.find(std::string(value));
        const bool isBack = parameter != m_parameterOf.end();
        m_returned.push_back(isBack ? m_header.tensors[parameter->second].name : std::string());
        return isBack || follow(value);
    }

    /// Notes who takes the parameters that stand in an expression.
    bool follow(std::string_view text)
    {
        std::vector<Open> open;
        std::string callee; // that stands before what comes next
        for (std::size_t at = 0; at < text.size();) {
            const char c = text[at];
            if (c == '"' || c == '\'') {
                at = behindText(text, at);
            } else if (isLetter(c)) {
                const std::size_t begin = at;
                while (at < text.size() && (isLetter(text[at]) || text[at] == '.'))
                    ++at;
                callee = text.substr(begin, at - begin);
                if (!take(callee, open))
                    return false;
            } else if (c == '(' || c == '[') {
                open.push_back(c == '[' ? inherited(open) : takerOf(callee, open));
                callee.clear();
                ++at;
            } else if (c == ')' || c == ']') {
                if (open.empty())
                    return false;
                open.pop_back();
                ++at;
                constexpr std::string_view kForward = ".forward";
                const std::string_view rest = text.substr(at);
                if (c == ')' && rest.starts_with('.')) { // (child).forward(
                    std::size_t end = at + 1;
                    while (end < text.size() && isLetter(text[end]))
                        ++end;
                    const auto path = m_paths.find(m_lastName);
                    const bool isForward = text.substr(at, end - at) == kForward;
                    callee
                        = isForward && path != m_paths.end() && !path->second.empty() ? "\x01" + path->second : "\x02";
                    at = end;
                }
            } else {
                if (c != ' ')
                    callee.clear();
                ++at;
            }
        }
        return open.empty();
    }

    static std::size_t behindText(std::string_view text, std::size_t at)
    {
        const char quote = text[at++];
        while (at < text.size() && text[at] != quote)
            at += text[at] == '\\' ? 2 : 1;
        return std::min(at + 1, text.size());
    }

    static Open inherited(const std::vector<Open>& open) { return open.empty() ? Open{} : open.back(); }

    static Open takerOf(const std::string& callee, const std::vector<Open>& open)
    {
        if (callee.empty())
            return inherited(open);
        if (callee.front() == '\x01')
            return {Taker::Child, callee.substr(1)};
        if (callee.front() == '\x02')
            return {Taker::Unknown};
        return {callee == "torch.__is__" || callee == "torch.__isnot__" ? Taker::Check : Taker::Operator};
    }

    bool take(const std::string& name, const std::vector<Open>& open)
    {
        m_lastName = name;
        const auto parameter = m_parameterOf.find(name);
        if (parameter == m_parameterOf.end()) {
            const auto kept = m_kept.find(name); // what is in it may go anywhere
            return kept == m_kept.end()
                || std::ranges::none_of(listed(kept->second), [&](std::string_view part) { return isParameter(part); });
        }
        switch (open.empty() ? Taker::Nobody : open.back().taker) {
        case Taker::Child:
            m_takenBy[parameter->second].insert(open.back().child);
            return true;
        case Taker::Operator:
            m_takenBy[parameter->second].insert(std::string());
            return true;
        case Taker::Check:
            return true;
        case Taker::Nobody:
        case Taker::Unknown:
            break;
        }
        return false;
    }

    Header m_header;
    std::map<std::string, std::size_t> m_parameterOf; // by name, other names of it too
    std::map<std::string, std::string> m_paths; // of modules, by the variable that holds them
    std::map<std::string, std::string_view> m_kept; // tuples
    std::vector<std::set<std::string>> m_takenBy; // [tensors]
    std::vector<std::string> m_returned;
    std::string m_lastName;
    bool m_hasReturned = false;
};

} // namespace

std::shared_ptr<const ForwardOrder> scriptForward(std::string_view source, std::string_view debug)
{
    const std::size_t at = source.find(kDef);
    if (at == std::string_view::npos)
        return nullptr;
    source.remove_prefix(at + kDef.size());
    const std::size_t end = closing(source, 0);
    if (end == std::string_view::npos)
        return nullptr;
    const auto header = readHeader(source.substr(0, end));
    if (!header || header->tensors.empty() || !isWritten(*header, debug))
        return nullptr;
    const std::size_t body = source.find(":\n", end); // behind the type of the result
    Body read(*header);
    if (body == std::string_view::npos || !read.read(source.substr(body + 2)))
        return nullptr;
    return std::make_shared<const ForwardOrder>(std::move(read).order());
}

} // namespace duo
