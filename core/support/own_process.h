// SPDX-License-Identifier: Apache-2.0
// What each of our programs does before anything else, so that a file that cannot be written is an error like others.
#pragma once

#include <csignal>

namespace duo {

/// A closed standard stream is opened, but to nothing that can be read or written: its number would be that of the next
/// file or socket, and what is printed would go there. A pipe whose reader is gone and a file beyond its limit
/// (`ulimit -f`) give errors and end nothing.
void prepareOwnProcess();

/// Signals that it ignores, which the programs of others expect as the system has them.
sigset_t ignoredByOwnProcess();

} // namespace duo
