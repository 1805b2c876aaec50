// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/arity.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace duo {
namespace {

struct Arity {
    std::string_view opType;
    std::size_t inputs = 1; // leading ones that may not be omitted, in every opset
    std::size_t outputs = 1;
};

/// By name (onnx/defs: what is neither optional nor variadic).
constexpr std::array kArities = {
    Arity{"Conv", 2},
    Arity{"ConvInteger", 2},
    Arity{"ConvTranspose", 2},
    Arity{"DeformConv", 3},
    Arity{"Gemm", 2},
    Arity{"MatMul", 2},
    Arity{"MatMulInteger", 2},
    Arity{"QLinearConv", 8},
    Arity{"QLinearMatMul", 8},
};

const Arity* arityOf(const Node& node)
{
    static_assert(std::ranges::is_sorted(kArities, {}, &Arity::opType));
    if (!node.domain.empty() || node.isCall)
        return nullptr;
    const auto found = std::ranges::lower_bound(kArities, std::string_view(node.opType), {}, &Arity::opType);
    return found != kArities.end() && found->opType == node.opType ? &*found : nullptr;
}

bool hasLeading(const std::vector<ValueId>& ports, std::size_t count)
{
    return ports.size() >= count
        && std::all_of(
            ports.begin(), ports.begin() + static_cast<std::ptrdiff_t>(count), [](ValueId id) { return id.valid(); });
}

Error tooFew(const Node& node, std::size_t wanted, const std::string& what)
{
    const std::string label
        = node.localName.empty() ? "node " + std::to_string(node.origin.index) : "node '" + node.localName + "'";
    return {ErrorCode::MalformedModel,
        label + " (" + node.opType + ") has not the " + std::to_string(wanted) + " " + what + (wanted == 1 ? "" : "s")
            + " it needs",
        {}, "export the model again"};
}

} // namespace

Status checkArity(const Node& node)
{
    const Arity* arity = arityOf(node);
    if (arity == nullptr)
        return success();
    if (!hasLeading(node.inputs, arity->inputs))
        return tooFew(node, arity->inputs, "input");
    if (!hasLeading(node.outputs, arity->outputs))
        return tooFew(node, arity->outputs, "output");
    return success();
}

} // namespace duo
