// SPDX-License-Identifier: Apache-2.0
// Programs of tests/data/pt2 and their scopes.
#pragma once

#include "tests/core/scope/found_scopes.h"

#include <string>

namespace duo::test {

/// A program of tests/data/pt2, for example "archive/c_tied"; ends the test program if it cannot be read.
FoundScopes scopesOfProgram(const std::string& name);

/// "path=calls" of every storage scope, in tree order; modules that never run have 0.
std::vector<std::string> storageCalls(const FoundScopes& found);

} // namespace duo::test
