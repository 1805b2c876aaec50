// SPDX-License-Identifier: Apache-2.0
#include "core/scope/facts/element_text.h"

namespace duo {

std::string escapedElement(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        if (c == '/' || c == '#' || c == '@' || c == '\\')
            result += '\\';
        result += c;
    }
    return result;
}

std::string plainElement(std::string_view element)
{
    std::string plain;
    plain.reserve(element.size());
    for (std::size_t i = 0; i < element.size() && element[i] != '#'; ++i) {
        if (element[i] == '\\' && i + 1 < element.size())
            ++i;
        plain += element[i];
    }
    return plain;
}

} // namespace duo
