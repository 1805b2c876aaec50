// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/rewritten_names.h"

#include <algorithm>

namespace duo {
namespace {

bool allDigits(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "x" of "x_token_12", which ONNX Runtime makes of "x" where that is taken.
std::string_view withoutToken(std::string_view name)
{
    constexpr std::string_view kToken = "_token_";
    const std::size_t at = name.rfind(kToken);
    return at != std::string_view::npos && allDigits(name.substr(at + kToken.size())) ? name.substr(0, at) : name;
}

} // namespace

std::string_view rewrittenName(std::string_view name)
{
    constexpr std::string_view kBlocked = "_nchwc";
    if (name.size() > kBlocked.size() && name.ends_with(kBlocked))
        name.remove_suffix(kBlocked.size());
    while (true) {
        std::string_view rest = name;
        while (rest.ends_with('/'))
            rest.remove_suffix(1);
        const std::size_t slash = rest.rfind('/');
        if (slash == std::string_view::npos || slash == 0 || !rest.ends_with("Fusion"))
            return name;
        name = rest.substr(0, slash);
        while (name.size() > 1 && name.ends_with('/'))
            name.remove_suffix(1);
    }
}

bool isMadeByOptimizer(std::string_view tensorName)
{
    const std::string_view base = withoutToken(tensorName);
    return base == "reorder" || base == "const_transpose_optimizer"
        || (base.starts_with("_v_") && allDigits(base.substr(3)));
}

} // namespace duo
