// SPDX-License-Identifier: Apache-2.0
// What becomes of blocks of memory that are freed.
#pragma once

namespace duo {

/// They go back to the system, for the whole process; to be called before main. glibc raises the size from which they
/// do to 32 MB as such blocks are freed, and keeps what is smaller: what models of changing shapes take would add up.
/// Small ones are joined with their neighbours at once: glibc would do it for all of them whenever a large one is asked
/// for, which took an eighth of the time that a plan of 100,000 nodes takes.
/// @return false where the system has no such setting
bool returnLargeBlocks();

/// What is free now goes back to the system, also between blocks in use, which glibc does not do by itself. Does
/// nothing where there is no such call. Thread-safe.
void returnFreedMemory();

} // namespace duo
