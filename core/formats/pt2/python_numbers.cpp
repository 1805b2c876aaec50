// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/python_numbers.h"

#include <array>

namespace duo {
namespace {

constexpr std::array<std::string_view, 3> kNumbers{"-Infinity", "Infinity", "NaN"};

/// Behind the string that starts at `start`.
std::size_t behindString(std::string_view json, std::size_t start)
{
    for (std::size_t i = start + 1; i < json.size(); ++i) {
        if (json[i] == '"')
            return i + 1;
        if (json[i] == '\\')
            ++i;
    }
    return json.size();
}

/// The number at `i`, "" if there is none.
std::string_view numberAt(std::string_view json, std::size_t i)
{
    for (const std::string_view number : kNumbers) {
        if (json.substr(i, number.size()) == number)
            return number;
    }
    return {};
}

bool mayBegin(char c)
{
    return c == '-' || c == 'I' || c == 'N';
}

} // namespace

std::optional<std::string> quotePythonNumbers(std::string_view json)
{
    std::string quoted;
    std::size_t copied = 0;
    std::size_t i = 0;
    while (i < json.size()) {
        if (json[i] == '"') {
            i = behindString(json, i);
            continue;
        }
        const std::string_view number = mayBegin(json[i]) ? numberAt(json, i) : std::string_view{};
        if (number.empty()) {
            ++i;
            continue;
        }
        quoted += json.substr(copied, i - copied);
        quoted += '"';
        quoted += number;
        quoted += '"';
        i += number.size();
        copied = i;
    }
    if (copied == 0)
        return std::nullopt;
    quoted += json.substr(copied);
    return quoted;
}

} // namespace duo
