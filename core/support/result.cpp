// SPDX-License-Identifier: Apache-2.0
#include "core/support/result.h"

#include "core/support/visible_text.h"

namespace duo {
namespace {

constexpr std::size_t kMostLetters = 2000; // of one part, in bytes
constexpr std::size_t kLastLetters = 600; // of them at its end, which says what is wrong with what was named

/// Names of a file may have megabytes: of a part that nobody would read the middle is left out.
std::string readable(const std::string& part)
{
    if (part.size() <= kMostLetters)
        return part;
    const auto isWithin = [&](std::size_t at) { return (static_cast<unsigned char>(part[at]) & 0xC0U) == 0x80U; };
    std::size_t first = kMostLetters - kLastLetters;
    std::size_t last = part.size() - kLastLetters;
    while (first > 0 && isWithin(first))
        --first;
    while (last < part.size() && isWithin(last))
        ++last;
    return part.substr(0, first) + " [...] " + part.substr(last);
}

void appendVisible(std::string& line, const std::string& part)
{
    if (part.empty())
        return;
    if (!line.empty())
        line += ": ";
    line += visibleText(readable(part));
}

} // namespace

std::string Error::line() const
{
    std::string line;
    appendVisible(line, what);
    appendVisible(line, where);
    appendVisible(line, whatToDo);
    return line;
}

} // namespace duo
