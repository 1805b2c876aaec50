// SPDX-License-Identifier: Apache-2.0
// Operators of PyTorch, as torch.export records them.
#pragma once

#include <string_view>

namespace duo {

/// Node::domain of operators in models of torch.export.
constexpr std::string_view kTorchOperators = "torch.ops";

/// Whether an operator ("aten.transpose.int") only changes layout, type or scale of what it reads, as those that stand
/// between a parameter and the one that works with it; convolutions, products and lookups do not.
bool atenPassesOn(std::string_view opType);

} // namespace duo
