// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/optimized_names.h"

#include "core/model/key_names.h"
#include "core/support/digits.h"

#include <algorithm>

namespace duo {
namespace {

std::string_view withoutNumberedEnd(std::string_view name, std::string_view mark)
{
    const std::size_t at = name.rfind(mark);
    if (at == std::string_view::npos || at + mark.size() == name.size())
        return name;
    const std::string_view number = name.substr(at + mark.size());
    return std::all_of(number.begin(), number.end(), isDigit) ? name.substr(0, at) : name;
}

std::string_view withoutSlashes(std::string_view name)
{
    while (name.size() > 1 && name.ends_with('/'))
        name.remove_suffix(1);
    return name;
}

/// "/fc/MatMul" of "/fc/MatMul_output_0_pre_reshape".
std::string_view producerOf(std::string_view name)
{
    constexpr std::string_view kMark = "_output_";
    const std::size_t at = name.rfind(kMark);
    if (at == std::string_view::npos || name.find('/', at) != std::string_view::npos)
        return name;
    std::string_view rest = name.substr(at + kMark.size());
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    rest.remove_prefix(digits);
    return digits > 0 && (rest.empty() || rest.front() == '_') ? name.substr(0, at) : name;
}

} // namespace

std::string_view withoutToken(std::string_view name)
{
    return withoutNumberedEnd(name, "_token_");
}

std::string_view withoutFusions(std::string_view name)
{
    while (true) {
        const std::string_view rest = withoutSlashes(name);
        const std::size_t slash = rest.rfind('/');
        if (slash == std::string_view::npos || slash == 0 || !rest.ends_with("Fusion"))
            return name;
        name = withoutSlashes(rest.substr(0, slash));
    }
}

std::string_view exporterName(std::string_view name)
{
    if (!name.starts_with('/'))
        return name;
    return nodeBeforeQuantizer(producerOf(withoutSlashes(withoutFusions(withoutToken(name)))));
}

bool isAnyOpPart(std::string_view part)
{
    part = withoutNumberedEnd(part, "_");
    const auto isLetter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    return !part.empty() && part.front() >= 'A' && part.front() <= 'Z'
        && std::all_of(part.begin(), part.end(), [&](char c) { return isLetter(c) || isDigit(c); });
}

} // namespace duo
