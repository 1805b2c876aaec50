// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/stack_trace.h"

#include <algorithm>
#include <charconv>

namespace duo {
namespace {

constexpr std::size_t kMostLines = 64;
constexpr std::string_view kRepeated = "[Previous line repeated ";

std::string_view trimmed(std::string_view line)
{
    const std::size_t first = line.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

/// Number in "[Previous line repeated 2 more times]".
std::size_t repeats(std::string_view line)
{
    std::size_t count = 0;
    const char* first = line.data() + kRepeated.size();
    std::from_chars(first, line.data() + line.size(), count);
    return std::min(count, kMostLines);
}

bool isNamePart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

} // namespace

std::vector<TraceLine> forwardLines(std::string_view trace)
{
    std::vector<TraceLine> lines;
    bool isForward = false; // the place read last
    for (std::size_t start = 0; start < trace.size();) {
        const std::size_t end = std::min(trace.find('\n', start), trace.size());
        const std::string_view line = trimmed(trace.substr(start, end - start));
        start = end + 1;
        if (line.starts_with("File \"")) {
            isForward = line.ends_with(", in forward");
            if (isForward)
                lines.push_back({line, {}});
        } else if (isForward && line.starts_with(kRepeated)) {
            const TraceLine last = lines.back();
            lines.insert(lines.end(), repeats(line), last);
        } else if (isForward && lines.back().code.empty()) {
            lines.back().code = line;
        }
        if (lines.size() > kMostLines)
            return {};
    }
    return lines;
}

std::size_t timesInCode(std::string_view code, std::string_view name)
{
    std::size_t times = 0;
    for (std::size_t at = code.find(name); at != std::string_view::npos && !name.empty();
         at = code.find(name, at + name.size())) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !isNamePart(code[at - 1])) && (end == code.size() || !isNamePart(code[end])))
            ++times;
    }
    return times;
}

} // namespace duo
