// SPDX-License-Identifier: Apache-2.0
// engineError: what ONNX Runtime says, as the last part of an error line of ours.
#pragma once

#include "core/support/result.h"

#include <string>
#include <string_view>

namespace duo {

/// The message becomes one line, without source positions of the engine's build and without final period; where the
/// engine does not know an operator, with what the user can do about it.
Error engineError(std::string what, std::string where, std::string_view message);

} // namespace duo
