// SPDX-License-Identifier: Apache-2.0
#include "core/model/module_stack.h"

#include <algorithm>
#include <charconv>

namespace duo {
namespace {

constexpr std::size_t kMostFrames = 64;
constexpr std::int64_t kHighestNumber = 1'000'000'000;
constexpr std::string_view kPathKey = "L__self__"; // torch/export/_trace.py: key = "L__self__" + path

/// Cuts at `mark` outside brackets and parentheses, into at most `most` pieces.
std::vector<std::string_view> cut(std::string_view text, char mark, std::size_t most)
{
    std::vector<std::string_view> pieces;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size() && pieces.size() + 1 < most; ++i) {
        if (text[i] == '(' || text[i] == '[')
            ++depth;
        else if (text[i] == ')' || text[i] == ']')
            --depth;
        if (text[i] != mark || depth > 0)
            continue;
        pieces.push_back(text.substr(start, i - start));
        start = i + 1;
    }
    pieces.push_back(text.substr(start));
    return pieces;
}

void addAtom(std::string& path, std::string_view atom)
{
    if (atom.empty())
        return;
    path += path.empty() ? "" : ".";
    path += atom;
}

/// A quoted text that starts at `start`; moves `start` behind it.
std::string_view takeQuoted(std::string_view text, std::size_t& start)
{
    const std::size_t end = std::min(text.find(text[start], start + 1), text.size());
    const std::string_view quoted = text.substr(start + 1, end - start - 1);
    start = std::min(end + 1, text.size());
    return quoted;
}

/// `L['m'].layers[0]`, `getattr(L['m'].features, '0').conv` -> "layers.0", "features.0.conv".
std::string pathOfExpression(std::string_view text)
{
    constexpr std::string_view kGetattr = "getattr(";
    std::string path;
    bool isRoot = true; // the first name and subscript are those of the argument that holds the model
    std::size_t i = 0;
    while (i < text.size()) {
        if (text.substr(i).starts_with(kGetattr)) {
            i += kGetattr.size();
        } else if (text[i] == '\'' || text[i] == '"') {
            const std::string_view quoted = takeQuoted(text, i);
            if (!isRoot)
                addAtom(path, quoted);
            isRoot = false;
        } else if (std::string_view(".[](), ").find(text[i]) != std::string_view::npos) {
            ++i;
        } else {
            const std::size_t end = std::min(text.find_first_of(".[](), '\"", i), text.size());
            if (!isRoot)
                addAtom(path, text.substr(i, end - i));
            i = end;
        }
    }
    return path;
}

std::string pathOf(std::string_view text)
{
    constexpr std::string_view kInnerRoot = "_export_root";
    if (text.find_first_of("[(") != std::string_view::npos)
        return pathOfExpression(text);
    if (text == kInnerRoot)
        return {};
    if (text.starts_with(kInnerRoot) && text[kInnerRoot.size()] == '.')
        text.remove_prefix(kInnerRoot.size() + 1);
    return std::string(text);
}

/// "key@3" -> "key", 3.
void setKey(StackFrame& frame, std::string_view text)
{
    const std::size_t at = text.rfind('@');
    if (at != std::string_view::npos) {
        std::int64_t number = 0;
        const char* end = text.data() + text.size();
        const auto [rest, error] = std::from_chars(text.data() + at + 1, end, number);
        if (error == std::errc{} && rest == end && number > 0 && number <= kHighestNumber) {
            frame.number = number;
            text = text.substr(0, at);
        }
    }
    frame.key = text;
}

} // namespace

bool StackFrame::namesObject() const
{
    const std::string_view made = key;
    return !made.empty() && !(made.starts_with(kPathKey) && made.substr(kPathKey.size()) == path) && made != path;
}

std::optional<std::vector<StackFrame>> parseModuleStack(std::string_view text)
{
    if (text.empty() || text.find("nn_module_stack") != std::string_view::npos)
        return std::nullopt;
    const auto pieces = cut(text, ';', kMostFrames + 1);
    if (pieces.size() > kMostFrames)
        return std::nullopt;
    std::vector<StackFrame> frames;
    for (const std::string_view piece : pieces) {
        const auto fields = cut(piece, ',', 3);
        if (fields.size() != 3)
            return std::nullopt;
        StackFrame frame;
        setKey(frame, fields[0]);
        frame.path = pathOf(fields[1]);
        frame.className = fields[2];
        frames.push_back(std::move(frame));
    }
    return frames;
}

RegisteredPaths::RegisteredPaths(const std::vector<RecordedModule>& modules)
{
    for (const RecordedModule& module : modules)
        m_registered.insert(module.path);
}

void RegisteredPaths::learn(const StackFrame& frame)
{
    if (frame.namesObject() && m_registered.contains(frame.path))
        m_pathOfKey.emplace(frame.key, frame.path);
}

const std::string& RegisteredPaths::resolve(const StackFrame& frame) const
{
    if (m_registered.contains(frame.path) || !frame.namesObject())
        return frame.path;
    const auto found = m_pathOfKey.find(frame.key);
    return found == m_pathOfKey.end() ? frame.path : found->second;
}

} // namespace duo
