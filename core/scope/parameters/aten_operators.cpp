// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/aten_operators.h"

#include <unordered_set>

namespace duo {

bool atenPassesOn(std::string_view opType)
{
    constexpr std::string_view kNamespace = "aten.";
    static const std::unordered_set<std::string_view> kNames{"alias", "clone", "contiguous", "detach", "detach_",
        "lift_fresh_copy", "to", "_to_copy", "type_as", "t", "transpose", "permute", "view", "reshape", "_unsafe_view",
        "flatten", "unflatten", "unsqueeze", "squeeze", "expand", "expand_as", "cat", "stack", "split",
        "split_with_sizes", "chunk", "unbind", "slice", "select", "add", "sub", "rsub", "mul", "div", "neg", "abs",
        "pow", "sqrt", "rsqrt", "reciprocal", "exp", "log", "softplus", "sum", "mean", "amax", "norm",
        "linalg_vector_norm", "_weight_norm", "_weight_norm_interface", "sym_size", "sym_numel"};
    if (!opType.starts_with(kNamespace))
        return false;
    opType.remove_prefix(kNamespace.size());
    return kNames.contains(opType.substr(0, opType.find('.')));
}

} // namespace duo
