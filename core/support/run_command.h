// SPDX-License-Identifier: Apache-2.0
// runCommand: a command of the user's, run by the shell, and what it prints.
#pragma once

#include "core/support/job.h"
#include "core/support/result.h"

#include <string>

namespace duo {

/// Runs it with /bin/sh in a process group of its own, which a stop ends; its messages go where ours go.
/// @return its standard output; BadData where it cannot be run, fails or prints more than a megabyte; Cancelled
Result<std::string> runCommand(const std::string& command, const JobContext& job);

/// One word for the shell, whatever it holds.
std::string shellQuoted(const std::string& text);

} // namespace duo
