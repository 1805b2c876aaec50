// SPDX-License-Identifier: Apache-2.0
// The inputs that are kept of each target: tests/fuzz/corpus/NAME.zip, what fuzzing found to be new beside the seeds.
#pragma once

#include "tests/fuzz/fuzz_target.h"

namespace duo::test {

/// Seeds, then what is kept. A target need not have anything kept.
std::vector<std::string> inputsOf(const FuzzTarget& target);

/// The same as files of a folder, and the target's words as a dictionary beside it, FOLDER.dict.
void writeSeeds(const FuzzTarget& target, const std::filesystem::path& folder);

/// Replaces what is kept by the files of a folder that are no seeds, the shortest first, up to 24 kB packed.
void keepCorpus(const FuzzTarget& target, const std::filesystem::path& folder);

} // namespace duo::test
