// SPDX-License-Identifier: Apache-2.0
// engineReason: what ONNX Runtime says, as the last part of an error line of ours.
#pragma once

#include <string>
#include <string_view>

namespace duo {

/// One line, without source positions of the engine's build and without final period; where the engine does not know an
/// operator, with what the user can do about it.
std::string engineReason(std::string_view message);

} // namespace duo
