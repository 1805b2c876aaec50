// SPDX-License-Identifier: Apache-2.0
// ExitCode: with what the programs end (resources/docs/promises.md, "Exit codes").
#pragma once

#include "core/support/result.h"

namespace duo {

enum ExitCode { kDone = 0, kFindings = 1, kUsage = 2, kBadInput = 3, kEngine = 4, kNotWritten = 5, kInterrupted = 130 };

ExitCode exitCodeOf(ErrorCode code);

} // namespace duo
