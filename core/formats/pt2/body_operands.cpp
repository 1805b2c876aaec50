// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/body_operands.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";
constexpr std::array<std::string_view, 4> kLoops{"while_loop", "scan", "map_impl", "associative_scan"};
constexpr std::array<std::string_view, 5> kPassAll{
    "cond", "wrap_with_set_grad_enabled", "wrap_with_autocast", "invoke_subgraph", "wrap"};

template <std::size_t N> bool holds(const std::array<std::string_view, N>& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string> allValues(const std::vector<ExportArgument>& arguments)
{
    std::vector<std::string> values;
    for (const ExportArgument& argument : arguments)
        values.insert(values.end(), argument.values.begin(), argument.values.end());
    return values;
}

/// What comes behind the bodies.
std::vector<std::string> operandsOf(const ExportNode& node)
{
    std::vector<std::string> operands;
    bool isBehind = false;
    for (const ExportArgument& argument : node.inputs) {
        if (argument.graph != nullptr)
            isBehind = true;
        else if (isBehind)
            operands.insert(operands.end(), argument.values.begin(), argument.values.end());
    }
    return operands;
}

} // namespace

std::vector<std::pair<std::string, std::string>> constantOperands(const ExportNode& node, const ExportGraph& body)
{
    if (!node.target.starts_with(kHigherOrder) || node.inputs.empty())
        return {};
    const std::string_view name = std::string_view(node.target).substr(kHigherOrder.size());
    const std::vector<std::string> formals = allValues(body.inputs);
    const std::vector<std::string> operands = operandsOf(node);
    std::size_t constant = 0; // the last so many operands
    if (holds(kPassAll, name) && formals.size() == operands.size())
        constant = operands.size();
    else if (holds(kLoops, name) && node.inputs.back().isList && formals.size() >= node.inputs.back().values.size())
        constant = node.inputs.back().values.size();
    std::vector<std::pair<std::string, std::string>> pairs;
    for (std::size_t i = 1; i <= constant; ++i)
        pairs.emplace_back(formals[formals.size() - i], operands[operands.size() - i]);
    return pairs;
}

} // namespace duo
