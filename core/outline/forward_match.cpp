// SPDX-License-Identifier: Apache-2.0
#include "core/outline/forward_match.h"

#include <algorithm>

namespace duo {
namespace {

bool isTakenBy(const ForwardParameter& parameter, const std::string& module)
{
    return std::ranges::any_of(parameter.takenBy, [&](const std::string& child) {
        return child.empty() ? module.empty()
                             : module == child
                || (module.size() > child.size() && module.starts_with(child) && module[child.size()] == '.');
    });
}

/// The only parameter that is taken wherever this value is read.
std::optional<std::size_t> onlyParameter(const ForwardOrder& forward, const std::set<std::string>& modules)
{
    std::optional<std::size_t> only;
    for (std::size_t p = 0; p < forward.parameters.size(); ++p) {
        const bool may = std::ranges::all_of(
            modules, [&](const std::string& module) { return isTakenBy(forward.parameters[p], module); });
        if (may && only)
            return std::nullopt;
        if (may)
            only = p;
    }
    return only;
}

/// Inputs that are given back beside what is computed, if it is known where.
std::vector<PassedInput> passedOf(
    const ForwardOrder& forward, const std::vector<std::string>& inputs, std::size_t outputs)
{
    std::vector<PassedInput> passed;
    if (static_cast<std::size_t>(std::ranges::count(forward.returned, std::string())) != outputs)
        return passed;
    std::size_t place = 0;
    std::set<std::size_t> taken;
    for (const std::string& name : forward.returned) {
        const auto input = static_cast<std::size_t>(std::ranges::find(inputs, name) - inputs.begin());
        if (name.empty())
            ++place;
        else if (input < inputs.size() && taken.insert(input).second)
            passed.push_back({place++, input});
    }
    return passed;
}

} // namespace

std::optional<CallOrder> forwardOrder(
    const ForwardOrder& forward, const CallBody& body, const std::function<std::set<std::string>(ValueId)>& readIn)
{
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> inputOf(forward.parameters.size(), kNone);
    std::size_t data = 0;
    for (; data < body.inputs.size() && body.inputs[data].kind == InputKind::Data; ++data) {
        const auto modules = readIn(body.inputs[data].value);
        const auto parameter = modules.empty() ? std::nullopt : onlyParameter(forward, modules);
        if (!parameter || inputOf[*parameter] != kNone)
            return std::nullopt;
        inputOf[*parameter] = data;
    }
    if (body.outputs.size() > 1)
        return std::nullopt;
    CallOrder order;
    for (std::size_t p = 0; p < inputOf.size(); ++p) {
        const ForwardParameter& parameter = forward.parameters[p];
        if (inputOf[p] == kNone && !parameter.isOptional && !parameter.takenBy.empty())
            return std::nullopt;
        if (inputOf[p] == kNone)
            continue;
        order.inputs.push_back(inputOf[p]);
        order.inputNames.push_back(parameter.name);
    }
    for (std::size_t o = 0; o < body.outputs.size(); ++o) {
        order.outputs.push_back(o);
        order.outputNames.emplace_back();
    }
    order.passed = passedOf(forward, order.inputNames, body.outputs.size());
    return order;
}

} // namespace duo
