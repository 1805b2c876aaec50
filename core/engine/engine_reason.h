// SPDX-License-Identifier: Apache-2.0
// engineError: what ONNX Runtime says, as the last part of an error line of ours.
#pragma once

#include "core/support/result.h"

#include <string>
#include <string_view>

#include <sys/resource.h>

namespace duo {

/// The message becomes one line, without source positions of the engine's build and without final period; where the
/// engine does not know an operator, lacks memory or cannot write, with what the user can do about it. To be called in
/// the process whose memory it is.
Error engineError(std::string what, std::string where, std::string_view message);

/// Where a process may not take what memory there is, as from a shell with `ulimit -v`: that it may not; else "".
/// @param most its RLIMIT_AS
std::string adviceOnLimit(rlim_t most);

} // namespace duo
