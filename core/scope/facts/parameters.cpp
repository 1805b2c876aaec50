// SPDX-License-Identifier: Apache-2.0
#include "core/scope/facts/parameters.h"

#include <algorithm>

namespace duo {

std::int32_t Parameters::find(std::string_view name) const
{
    const auto found = index.find(name);
    return found == index.end() ? kNoKey : found->second;
}

std::int32_t Parameters::firstOf(std::int32_t k) const
{
    while (key(k).first != k)
        k = key(k).first;
    return k;
}

void Parameters::join(std::int32_t a, std::int32_t b)
{
    if (a == kNoKey || b == kNoKey)
        return;
    a = firstOf(a);
    b = firstOf(b);
    key(std::max(a, b)).first = std::min(a, b);
}

} // namespace duo
