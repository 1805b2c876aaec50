// SPDX-License-Identifier: Apache-2.0
#include "core/rules/precision.h"

#include <algorithm>

namespace duo {
namespace {

template <typename T, typename Choose>
std::optional<T> either(const std::optional<T>& a, const std::optional<T>& b, Choose choose)
{
    return a && b ? std::optional<T>(choose(*a, *b)) : (a ? a : b);
}

PrecisionOverride moreExact(const PrecisionOverride& a, const PrecisionOverride& b)
{
    const auto larger = [](auto x, auto y) { return std::max(x, y); };
    const auto smaller = [](auto x, auto y) { return std::min(x, y); };
    return {either(a.numBits, b.numBits, larger), either(a.mode, b.mode, larger),
        either(a.signednessToForce, b.signednessToForce, larger), either(a.perChannel, b.perChannel, larger),
        either(a.narrowRange, b.narrowRange, smaller)};
}

std::string wishText(const std::string& what, const PrecisionOverride& wish)
{
    std::string text;
    if (wish.numBits)
        text += " " + std::to_string(*wish.numBits) + " bits";
    if (wish.mode)
        text += *wish.mode == QuantizationMode::Symmetric ? " symmetric" : " asymmetric";
    if (wish.signednessToForce)
        text += *wish.signednessToForce ? " signed" : " unsigned";
    if (wish.perChannel)
        text += *wish.perChannel ? " per channel" : " per tensor";
    if (wish.narrowRange)
        text += *wish.narrowRange ? " narrow" : " whole range";
    return text.empty() ? text : what + text;
}

} // namespace

PrecisionOverride overlaid(const PrecisionOverride& first, const PrecisionOverride& second)
{
    const auto chosen = [](auto x, auto) { return x; };
    return {either(first.numBits, second.numBits, chosen), either(first.mode, second.mode, chosen),
        either(first.signednessToForce, second.signednessToForce, chosen),
        either(first.perChannel, second.perChannel, chosen), either(first.narrowRange, second.narrowRange, chosen)};
}

RulePrecision combined(const RulePrecision& a, const RulePrecision& b)
{
    return {moreExact(a.activations, b.activations), moreExact(a.weights, b.weights),
        either(a.floatBits, b.floatBits, [](int x, int y) { return std::max(x, y); })};
}

std::string precisionText(const RulePrecision& precision)
{
    std::string text;
    for (const std::string& wish :
        {wishText("activations", precision.activations), wishText("weights", precision.weights),
            precision.floatBits ? "floats of " + std::to_string(*precision.floatBits) + " bits" : std::string()})
        text += (text.empty() || wish.empty() ? "" : ", ") + wish;
    return text;
}

} // namespace duo
