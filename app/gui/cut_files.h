// SPDX-License-Identifier: Apache-2.0
// A file that is cut while it is mapped ends a program that reads it (SIGBUS). The window goes on: the session then
// refuses what was computed, for the file is not the one that was read.
#pragma once

namespace duo::app {

/// Reads bytes that a mapped file does not have any more as zeros, from now on, in all threads.
void readCutFilesAsZeros();

} // namespace duo::app
