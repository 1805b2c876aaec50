// SPDX-License-Identifier: Apache-2.0
// Cuts a run of nodes of one module into the calls that made it.
#pragma once

#include "core/scope/calls/call_events.h"
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
    RunSplitter(const std::vector<FramedNode>& nodes, const CodeLines& code, const Parameters& parameters,
        const ModulePaths& paths);

    /// @param run nodes whose frame at `depth` is the same module, next to each other
    [[nodiscard]] std::vector<CallNodes> split(std::span<const std::uint32_t> run, std::size_t depth) const;

private:
    using Cuts = std::vector<std::size_t>; // indices into a run, ascending: a call begins there

    [[nodiscard]] std::vector<CallNodes> splitAtSites(std::span<const std::uint32_t> run, std::size_t depth) const;
    [[nodiscard]] std::size_t cutInGap(
        std::span<const std::uint32_t> gap, std::span<const CallEvent> opening, std::size_t depth) const;
    [[nodiscard]] Cuts cutsOf(std::span<const std::uint32_t> run, std::size_t depth) const;
    [[nodiscard]] Cuts childCuts(std::span<const std::uint32_t> run, std::size_t start, std::size_t depth) const;
    [[nodiscard]] std::vector<CallEvent> eventsOf(std::span<const std::uint32_t> run, std::size_t depth) const;
    [[nodiscard]] bool isSequential(PathId module, const std::vector<CallEvent>& events) const;
    [[nodiscard]] Cuts itemCuts(const std::vector<CallEvent>& events) const;
    [[nodiscard]] bool walksList(PathId module, const std::vector<CallEvent>& events) const;
    [[nodiscard]] Cuts listCuts(const std::vector<CallEvent>& events) const;
    [[nodiscard]] Cuts weightCuts(std::span<const std::uint32_t> run, std::size_t depth) const;

    const std::vector<FramedNode>& m_nodes;
    const CodeLines& m_code;
    const Parameters& m_parameters;
    const ModulePaths& m_paths;
};

} // namespace duo
