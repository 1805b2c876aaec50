// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/name_evidence.h"

#include "core/scope/parameters/aten_operators.h"
#include "core/support/digits.h"

#include <algorithm>
#include <array>
#include <string>

namespace duo {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool isLeafOfParameters(std::string_view leaf)
{
    constexpr std::array<std::string_view, 18> kLeaves{"weight", "bias", "running_mean", "running_var", "weight_g",
        "weight_v", "weight_ih", "weight_hh", "bias_ih", "bias_hh", "in_proj_weight", "in_proj_bias", "gamma", "beta",
        "moving_mean", "moving_variance", "kernel", "embeddings"};
    return std::ranges::find(kLeaves, leaf) != kLeaves.end();
}

/// "w_0", "b_1": PaddlePaddle numbers what a layer creates.
bool isPaddleLeaf(std::string_view leaf)
{
    return (leaf.starts_with("w_") || leaf.starts_with("b_")) && allDigits(leaf.substr(2));
}

/// "view_3", "scalar_tensor_default": what torch.export calls a result, as folding leaves it behind.
bool isResultName(std::string_view name)
{
    constexpr std::array<std::string_view, 12> kMakers{"arange", "full", "full_like", "zeros", "zeros_like", "ones",
        "ones_like", "scalar_tensor", "linspace", "tril", "triu", "matmul"};
    if (const std::size_t number = name.rfind('_');
        number != std::string_view::npos && allDigits(name.substr(number + 1)))
        name = name.substr(0, number);
    for (const std::string_view overload : {"_default", "_tensor", "_scalar", "_int"}) {
        if (name.ends_with(overload))
            name.remove_suffix(overload.size());
    }
    return std::ranges::find(kMakers, name) != kMakers.end() || atenPassesOn("aten." + std::string(name));
}

} // namespace

NameSays keyEvidence(std::string_view key)
{
    constexpr std::array<std::string_view, 6> kLeaves{"weights", "biases", "offset", "scale", "mean", "variance"};
    if (key.find("ReadVariableOp") != std::string_view::npos)
        return NameSays::Parameter;
    std::string_view leaf = keyLeaf(key);
    leaf.remove_prefix(leaf.rfind('/') + 1); // of all of it where there is none
    const bool isTelling
        = isLeafOfParameters(leaf) || isPaddleLeaf(leaf) || std::ranges::find(kLeaves, leaf) != kLeaves.end();
    return isTelling ? NameSays::Parameter : NameSays::Perhaps;
}

NameSays nameEvidence(std::string_view name, Naming naming)
{
    const std::string_view key = nameBeforeTools(name);
    if (!isKeyName(key, naming))
        return NameSays::Nothing;
    const std::string_view leaf = keyLeaf(key);
    if (isLeafOfParameters(leaf))
        return NameSays::Parameter;
    const bool isAttribute = key.starts_with("self."); // as TorchScript's compiler calls what it reads
    const bool isResult = allDigits(leaf) || (keyOwner(key).empty() && isResultName(key));
    const bool isTelling = naming == Naming::PyTorch && !isAttribute && !isResult;
    return isTelling ? NameSays::Parameter : NameSays::Perhaps;
}

} // namespace duo
