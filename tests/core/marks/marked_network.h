// SPDX-License-Identifier: Apache-2.0
// MarkedNetwork: a small network with a module under two names, and marks on it.
#pragma once

#include "core/marks/annotate.h"
#include "core/model/checkpoint.h"

#include <memory>
#include <string>
#include <vector>

namespace duo::test {

/// `a` and `b` hold one block (`lin`, and `act` without parameters) as `blk`; `b` has a ReLU `act` besides; `head` is a
/// layer of its own. The model adds at the end.
class MarkedNetwork
{
public:
    /// @param objects the checkpoint is a whole module of torch.save; else there is none
    explicit MarkedNetwork(bool objects);

    [[nodiscard]] std::vector<std::string> marked(const std::vector<Mark>& marks) const; // first paths, as reached
    [[nodiscard]] std::vector<std::string> nodes(const std::vector<Mark>& marks) const; // names
    [[nodiscard]] const TreeModule& module(const std::string& path) const { return tree.modules[tree.find(path)]; }

    std::shared_ptr<const Model> model;
    Checkpoint checkpoint;
    Scopes scopes;
    ModuleTree tree;
};

Mark markOf(const std::string& root, const std::vector<std::string>& ignored = {}, bool expandIgnored = false);

} // namespace duo::test
