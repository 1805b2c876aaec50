// SPDX-License-Identifier: Apache-2.0
#include "core/support/result.h"

#include "core/support/visible_text.h"

namespace duo {
namespace {

void appendVisible(std::string& line, const std::string& part)
{
    if (part.empty())
        return;
    if (!line.empty())
        line += ": ";
    line += visibleText(part);
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
