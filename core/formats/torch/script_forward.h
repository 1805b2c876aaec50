// SPDX-License-Identifier: Apache-2.0
// The `forward` of a class in the source of a TorchScript archive.
#pragma once

#include "core/model/forward_order.h"

#include <memory>
#include <string_view>

namespace duo {

/// Null where it does not tell: it is no plain `forward` of tensors, gives a parameter to another method, or keeps one
/// in a list. O(source * parameters), at most 64 of them.
/// @param source of the method, from "def forward(" to its last line, indented by two spaces
/// @param debug what the archive keeps of the Python text that the source file was made of. A class counts whose
/// `def forward` stands there with the same parameters, in a file of which no part was traced: what tracing writes
/// lists arguments as they are used.
std::shared_ptr<const ForwardOrder> scriptForward(std::string_view source, std::string_view debug);

} // namespace duo
