// SPDX-License-Identifier: Apache-2.0
// Files of tests/data/producers, as they are and with their nodes in another order.
#pragma once

#include "tests/core/scope/found_scopes.h"

#include <map>
#include <optional>
#include <string>

namespace duo::test {

/// The scopes of tests/data/producers/NAME.structure.onnx. With a seed the nodes of the main graph stand in another
/// topological order. Ends the test program if the file cannot be read.
FoundScopes producerFile(const std::string& name, std::optional<unsigned> seed = {});

/// Everything that is said of each node, by its name.
std::map<std::string, std::string> factsByNode(const FoundScopes& found);

/// Nodes whose execution scope is known better than by a guess, of a hundred.
double percentKnown(const FoundScopes& found);

/// Scopes of a tree as "path nodes" lines, totals with what is below, sorted.
std::vector<std::string> rows(const ScopeTree& tree);

} // namespace duo::test
