// SPDX-License-Identifier: Apache-2.0
#include "core/support/result.h"

namespace duo {
namespace {

void appendVisible(std::string& line, const std::string& part)
{
    if (part.empty())
        return;
    if (!line.empty())
        line += ": ";
    for (const char c : part) {
        if (c == '\n')
            line += "\\n";
        else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
            line += '?';
        else
            line += c;
    }
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
