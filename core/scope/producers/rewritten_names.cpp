// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/rewritten_names.h"

#include "core/scope/producers/optimized_names.h"
#include "core/support/digits.h"

#include <algorithm>

namespace duo {
std::string_view rewrittenName(std::string_view name)
{
    constexpr std::string_view kBlocked = "_nchwc";
    if (name.size() > kBlocked.size() && name.ends_with(kBlocked))
        name.remove_suffix(kBlocked.size());
    return withoutFusions(name);
}

bool isMadeByOptimizer(std::string_view tensorName)
{
    const std::string_view base = withoutToken(tensorName);
    return base == "reorder" || base == "const_transpose_optimizer"
        || (base.starts_with("_v_") && allDigits(base.substr(3)));
}

} // namespace duo
