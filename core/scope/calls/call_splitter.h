// SPDX-License-Identifier: Apache-2.0
// Cuts the nodes that ran in one module into the calls that made them.
#pragma once

#include "core/model/model.h"
#include "core/scope/calls/call_events.h"
#include "core/scope/facts/canonical_order.h"
#include "core/scope/facts/framed_node.h"
#include "core/scope/facts/parameters.h"

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace duo {

/// Nodes of one call, in canonical order.
struct CallNodes {
    std::int32_t site = kNoMark;
    std::vector<std::uint32_t> nodes;
    /// Recorded: as sure as what the file says of the nodes; Guess: the nodes may be of several calls, or of another.
    Provenance from = Provenance::Recorded;
    Provenance childrenFrom = Provenance::Recorded; // how it is known which calls of children are this call's
};

class CallSplitter
{
public:
    CallSplitter(const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes,
        const CodeLines& code, const Parameters& parameters, const ModulePaths& paths);

    /// Several calls need evidence: sites, lines of the program, a class that does one thing per call, or a body that
    /// occurs several times with the same wiring. Where the body may as well be a loop inside one call, the calls are a
    /// guess; where nothing is repeated, there is one.
    /// @param group nodes whose frame at `depth` is the same module, called by the same call, in canonical order
    [[nodiscard]] std::vector<CallNodes> split(std::span<const std::uint32_t> group, std::size_t depth);

private:
    using Group = std::span<const std::uint32_t>;
    using Events = std::vector<CallEvent>;

    /// Which window, from 0, each event belongs to.
    struct Windows {
        std::vector<std::uint32_t> ofEvent;
        std::uint32_t count = 1;
    };

    /// The event `to` reads what `from` gives.
    struct Wire {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
    };

    template <typename Visit> void forProducers(std::uint32_t n, Visit visit) const;
    [[nodiscard]] std::vector<Group> atLines(std::vector<std::uint32_t>& group, std::size_t depth) const;
    [[nodiscard]] std::vector<CallNodes> splitAtSites(Group group, std::size_t depth);
    [[nodiscard]] std::size_t cutInGap(Group gap, std::span<const CallEvent> opening, std::size_t depth);
    [[nodiscard]] std::vector<CallNodes> turnsOf(
        const Events& events, const std::unordered_map<std::int32_t, std::uint32_t>& numberOf, std::size_t depth) const;
    [[nodiscard]] std::vector<CallNodes> guessedAtSites(
        Group group, std::unordered_map<std::int32_t, std::uint32_t>& numberOf, std::size_t depth);
    [[nodiscard]] std::vector<CallNodes> splitByEvidence(Group group, std::size_t depth);
    [[nodiscard]] bool readsNothingAgain(Group group) const;
    [[nodiscard]] Events eventsOf(Group group, std::size_t depth);
    [[nodiscard]] bool runsItemsInTurn(PathId module, const Events& events) const;
    [[nodiscard]] bool walksList(PathId module, const Events& events) const;
    [[nodiscard]] std::optional<Windows> windowsOf(const Events& events) const;
    [[nodiscard]] std::optional<Windows> windowsOfReads(const Events& events) const;
    [[nodiscard]] std::vector<Wire> wiresOf(const Events& events) const;
    [[nodiscard]] static bool isWiredAlike(
        std::span<const Wire> wires, std::span<const std::uint32_t> labels, const Windows& windows);
    [[nodiscard]] bool doesSomethingOnce(const Events& events) const;
    [[nodiscard]] bool leavesBetween(const Events& events, const Windows& windows);
    [[nodiscard]] std::vector<CallNodes> callsOf(const Events& events, const Windows& windows, Provenance from) const;

    const Model& m_model;
    const NodeOrder& m_order;
    const std::vector<FramedNode>& m_nodes;
    const CodeLines& m_code;
    const Parameters& m_parameters;
    const ModulePaths& m_paths;
    std::size_t m_steps = 0; // of all searches through the nodes between calls
};

} // namespace duo
