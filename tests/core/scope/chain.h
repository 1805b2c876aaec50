// SPDX-License-Identifier: Apache-2.0
// Chain: a test model of nodes in a row, with names and metadata as exporters write them.
#pragma once

#include "tests/core/scope/found_scopes.h"
#include "tests/support/model_builder.h"

#include <set>
#include <string>

namespace duo::test {

/// Nodes with one input and one output each, and weights where a name is given.
class Chain
{
public:
    Chain();

    Chain& named(const std::string& opType, const std::string& name, const std::string& weight = "");

    /// A node as the torch.export based exporter writes it: frames "a|a.b", classes alike, FX node and operator.
    Chain& recorded(const std::string& name, const std::string& frames, const std::string& classes,
        const std::string& target, const std::string& weight = "");

    /// The line of each forward on the stack of the last node, outermost first: "12 x = self.blk(x)|7 return x.relu()".
    /// Lines whose number is 100 or more are in one of PyTorch's own modules.
    Chain& at(const std::string& lines);

    Chain& byPyTorch();
    [[nodiscard]] FoundScopes found();

private:
    void add(const std::string& opType, const std::string& name, const std::string& weight);

    ModelBuilder m_builder;
    std::set<std::string> m_weights;
    std::string m_value = "x";
    int m_count = 0;
};

} // namespace duo::test
