// SPDX-License-Identifier: Apache-2.0
#include "core/model/key_names.h"

#include "core/support/digits.h"

#include <algorithm>
#include <array>

namespace duo {
bool isKeyName(std::string_view name, Naming naming)
{
    if (name.empty() || name.size() > kLongestKeyName || allDigits(name))
        return false;
    if (hasEmptyAtom(name))
        return false;
    if (naming == Naming::Unknown && name.find_first_of("/: \\#@") != std::string_view::npos)
        return false;
    return name.front() != '/' && !isRenamedTensor(name) && !isLiftedTensor(name)
        && !(name.starts_with("val_") && allDigits(name.substr(4)));
}

bool isRenamedTensor(std::string_view name)
{
    return name.starts_with("onnx::");
}

bool isLiftedTensor(std::string_view name)
{
    constexpr std::string_view kName = "lifted_tensor_";
    const std::string_view leaf = keyLeaf(name);
    return leaf.starts_with(kName) && allDigits(leaf.substr(kName.size()));
}

std::string_view keyOwner(std::string_view key)
{
    const std::size_t dot = key.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : key.substr(0, dot);
}

std::string_view keyLeaf(std::string_view key)
{
    return key.substr(key.rfind('.') + 1);
}

std::string keyName(std::string_view owner, std::string_view leaf)
{
    std::string name(owner);
    name += owner.empty() ? "" : ".";
    return name += leaf;
}

bool hasEmptyAtom(std::string_view dotted)
{
    return dotted.starts_with('.') || dotted.ends_with('.') || dotted.find("..") != std::string_view::npos;
}

std::string_view nameBeforeBlocks(std::string_view name)
{
    for (const std::string_view ending : {"_DQ_Q2", "_DQ_Q4", "_matmul_Q2", "_matmul_Q4", "_Q2", "_Q4", "_Q8"}) {
        if (name.size() > ending.size() && name.ends_with(ending))
            return name.substr(0, name.size() - ending.size());
    }
    return name;
}

std::string_view nodeBeforeQuantizer(std::string_view name)
{
    for (const std::string_view ending : {"_quant", "_compressed_matmul"}) {
        if (name.size() > ending.size() && name.ends_with(ending))
            return name.substr(0, name.size() - ending.size());
    }
    return nameBeforeBlocks(name);
}

std::string_view nameBeforeTools(std::string_view name)
{
    constexpr std::array<std::string_view, 7> kFusions{"ConvBnFusion_W_", "ConvBnFusion_BN_B_", "ConvMulFusion_W_",
        "ConvMulFusion_Mul_B_", "ConvMulFusion_B_", "ConvAddFusion_Add_B_", "ConvAddFusion_B_"};
    constexpr std::string_view kSuffix = "_quantized";
    if (name.ends_with(kSuffix))
        name.remove_suffix(kSuffix.size());
    const auto isBefore
        = [&](std::string_view prefix) { return name.starts_with(prefix) && name.size() > prefix.size(); };
    for (auto found = std::ranges::find_if(kFusions, isBefore); found != kFusions.end(); // one may follow another
         found = std::ranges::find_if(kFusions, isBefore))
        name.remove_prefix(found->size());
    return name;
}

} // namespace duo
