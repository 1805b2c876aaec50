// SPDX-License-Identifier: Apache-2.0
// Cuts a run of nodes of one module into the calls that made it.
#pragma once

#include "core/scope/parameters/parameters.h"
#include "core/scope/reading/framed_node.h"

#include <span>
#include <vector>

namespace duo {

/// Nodes of one call, in order.
struct CallNodes {
    std::int32_t site = kNoMark;
    std::vector<std::uint32_t> nodes;
};

class RunSplitter
{
public:
    RunSplitter(const std::vector<FramedNode>& nodes, const Parameters& parameters, const ModulePaths& paths);

    /// @param run nodes whose frame at `depth` is the same module, next to each other
    [[nodiscard]] std::vector<CallNodes> split(std::span<const std::uint32_t> run, std::size_t depth) const;

private:
    /// A child entered, or an operation done, seen from the module.
    struct Event {
        std::int64_t key = 0; // equal for the same child, and for the same kind of operation
        std::size_t start = 0; // index into the run
        bool isChild = false;
    };

    [[nodiscard]] std::vector<CallNodes> splitAtSites(std::span<const std::uint32_t> run, std::size_t depth) const;
    [[nodiscard]] std::size_t cutInGap(
        std::span<const std::uint32_t> gap, std::span<const Event> opening, std::size_t depth) const;
    [[nodiscard]] std::vector<std::size_t> cutsOf(std::span<const std::uint32_t> run, std::size_t depth) const;
    [[nodiscard]] std::vector<Event> eventsOf(std::span<const std::uint32_t> run, std::size_t depth) const;
    [[nodiscard]] bool isSequential(PathId module, const std::vector<Event>& events) const;
    [[nodiscard]] std::vector<std::size_t> itemCuts(const std::vector<Event>& events) const;
    [[nodiscard]] std::vector<std::size_t> weightCuts(std::span<const std::uint32_t> run, std::size_t depth) const;
    [[nodiscard]] Event eventAt(std::uint32_t node, std::size_t depth) const;

    const std::vector<FramedNode>& m_nodes;
    const Parameters& m_parameters;
    const ModulePaths& m_paths;
};

} // namespace duo
