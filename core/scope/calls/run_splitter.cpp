// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/run_splitter.h"

#include "core/scope/calls/return_lines.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

/// Modules that do one operation with each of their parameters.
bool isSingleOperation(std::string_view className)
{
    static constexpr std::array<std::string_view, 6> kFamilies{"torch.nn.modules.linear.", "torch.nn.modules.conv.",
        "torch.nn.modules.batchnorm.", "torch.nn.modules.instancenorm.", "torch.nn.modules.normalization.",
        "torch.nn.modules.sparse."};
    return std::any_of(kFamilies.begin(), kFamilies.end(), [&](auto family) { return className.starts_with(family); });
}

/// A repetition tells calls apart if it is of several different things: one thing again and again is a loop.
bool isTelling(std::span<const CallEvent> events, std::size_t period)
{
    if (period == events.size())
        return false;
    return std::any_of(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(period),
        [&](const CallEvent& event) { return !event.isSame(events.front()); });
}

std::vector<CallEvent> childrenOf(const std::vector<CallEvent>& events)
{
    std::vector<CallEvent> children;
    std::copy_if(events.begin(), events.end(), std::back_inserter(children),
        [](const CallEvent& event) { return event.child.valid(); });
    return children;
}

} // namespace

RunSplitter::RunSplitter(
    const std::vector<FramedNode>& nodes, const CodeLines& code, const Parameters& parameters, const ModulePaths& paths)
    : m_nodes(nodes)
    , m_code(code)
    , m_parameters(parameters)
    , m_paths(paths)
{
}

std::vector<CallNodes> RunSplitter::split(std::span<const std::uint32_t> run, std::size_t depth) const
{
    if (run.size() == 1)
        return {{m_nodes[run[0]].frames[depth].site, {run[0]}}};
    const bool hasSite = std::any_of(
        run.begin(), run.end(), [&](std::uint32_t n) { return m_nodes[n].frames[depth].site != kNoMark; });
    if (hasSite)
        return splitAtSites(run, depth);
    std::vector<CallNodes> calls(1);
    const std::vector<std::size_t> cuts = cutsOf(run, depth);
    auto cut = cuts.begin();
    for (std::size_t i = 0; i < run.size(); ++i) {
        if (cut != cuts.end() && *cut == i) {
            calls.emplace_back();
            ++cut;
        }
        calls.back().nodes.push_back(run[i]);
    }
    return calls;
}

/// Where in a gap the next call begins: where the rest of the gap is what the first call did before its own work, else
/// where the first call's first event comes again, else at the end.
std::size_t RunSplitter::cutInGap(
    std::span<const std::uint32_t> gap, std::span<const CallEvent> opening, std::size_t depth) const
{
    const std::vector<CallEvent> events = eventsOf(gap, depth);
    if (opening.empty())
        return gap.size();
    const auto isSame = [](const CallEvent& a, const CallEvent& b) { return a.isSame(b); };
    if (events.size() >= opening.size()
        && std::equal(opening.begin(), opening.end(), events.end() - std::ssize(opening), isSame))
        return events[events.size() - opening.size()].start;
    const auto again
        = std::find_if(events.begin(), events.end(), [&](const CallEvent& e) { return e.isSame(opening.front()); });
    return again == events.end() ? gap.size() : again->start;
}

/// Nodes without a known site stand between two with one, and belong to either.
std::vector<CallNodes> RunSplitter::splitAtSites(std::span<const std::uint32_t> run, std::size_t depth) const
{
    const auto siteOf = [&](std::size_t i) { return m_nodes[run[i]].frames[depth].site; };
    const bool hasOneSite = std::all_of(
        run.begin(), run.end(), [&](std::uint32_t n) { return m_nodes[n].frames[depth].site == siteOf(0); });
    if (hasOneSite)
        return {{siteOf(0), {run.begin(), run.end()}}};
    std::vector<std::int32_t> sites(run.size(), kNoMark);
    std::size_t i = 0;
    while (i < run.size() && siteOf(i) == kNoMark)
        ++i;
    std::fill(sites.begin(), sites.begin() + static_cast<std::ptrdiff_t>(i), siteOf(i));
    const std::vector<CallEvent> opening = eventsOf(run.first(i), depth);
    while (i < run.size()) {
        std::size_t next = i + 1;
        while (next < run.size() && siteOf(next) == kNoMark)
            ++next;
        std::size_t cut = next;
        if (next < run.size() && siteOf(next) != siteOf(i))
            cut = i + 1 + cutInGap(run.subspan(i + 1, next - i - 1), opening, depth);
        for (std::size_t g = i; g < next; ++g)
            sites[g] = g < cut ? siteOf(i) : siteOf(next);
        i = next;
    }
    std::vector<CallNodes> calls;
    std::unordered_map<std::int32_t, std::size_t> callOfSite;
    for (std::size_t k = 0; k < run.size(); ++k) {
        const auto [entry, isNew] = callOfSite.try_emplace(sites[k], calls.size());
        if (isNew)
            calls.push_back({sites[k], {}});
        calls[entry->second].nodes.push_back(run[k]);
    }
    return calls;
}

/// Where the calls of a child begin after the first, among the nodes next to each other that run in it.
RunSplitter::Cuts RunSplitter::childCuts(std::span<const std::uint32_t> run, std::size_t start, std::size_t depth) const
{
    const CallEvent first = eventOf(m_nodes[run[start]], depth);
    std::size_t end = start + 1;
    while (end < run.size() && eventOf(m_nodes[run[end]], depth).isSame(first))
        ++end;
    Cuts cuts;
    if (end - start == 1)
        return cuts;
    std::size_t at = start;
    for (const CallNodes& call : split(run.subspan(start, end - start), depth + 1)) {
        if (at > start)
            cuts.push_back(at);
        at += call.nodes.size();
    }
    return cuts;
}

std::vector<CallEvent> RunSplitter::eventsOf(std::span<const std::uint32_t> run, std::size_t depth) const
{
    std::vector<CallEvent> events;
    Cuts cuts; // inside the child that runs
    for (std::size_t i = 0; i < run.size(); ++i) {
        const FramedNode& node = m_nodes[run[i]];
        CallEvent event = eventOf(node, depth);
        event.start = i;
        const bool isSame = i > 0 && eventOf(m_nodes[run[i - 1]], depth).isSame(event);
        if (event.child.valid()) {
            if (!isSame)
                cuts = childCuts(run, i, depth);
            else if (!std::binary_search(cuts.begin(), cuts.end(), i))
                continue;
        } else if (isSame && node.work != kNoMark && node.work == m_nodes[run[i - 1]].work) {
            continue;
        }
        for (const ParameterRead& read : m_parameters.reads[run[i]]) {
            if (!event.child.valid() && event.key == kNoKey)
                event.key = read.key;
        }
        events.push_back(event);
    }
    return events;
}

bool RunSplitter::isSequential(PathId module, const std::vector<CallEvent>& events) const
{
    const std::string& className = m_paths.className(module);
    if (!className.empty())
        return className == "torch.nn.modules.container.Sequential";
    return std::all_of(events.begin(), events.end(), [&](const CallEvent& event) {
        return event.child.valid() && m_paths.parent(event.child) == module
            && itemNumber(m_paths.atom(event.child)) >= 0;
    });
}

/// A Sequential runs its items in order, each once per call.
RunSplitter::Cuts RunSplitter::itemCuts(const std::vector<CallEvent>& events) const
{
    Cuts cuts;
    std::int64_t last = -1;
    for (const CallEvent& event : events) {
        const std::int64_t item = event.child.valid() ? itemNumber(m_paths.atom(event.child)) : -1;
        if (item < 0)
            continue;
        if (item <= last)
            cuts.push_back(event.start);
        last = item;
    }
    return cuts;
}

/// Whether all that is done is to call numbered items of one list that the module holds.
bool RunSplitter::walksList(PathId module, const std::vector<CallEvent>& events) const
{
    if (!events[0].child.valid())
        return false;
    const PathId list = m_paths.parent(events[0].child);
    return list != module && std::all_of(events.begin(), events.end(), [&](const CallEvent& event) {
        return event.child.valid() && m_paths.parent(event.child) == list && itemNumber(m_paths.atom(event.child)) >= 0;
    });
}

/// A loop over a list, in any order, runs each item once per call.
RunSplitter::Cuts RunSplitter::listCuts(const std::vector<CallEvent>& events) const
{
    Cuts cuts;
    std::unordered_set<std::uint32_t> done;
    for (const CallEvent& event : events) {
        if (done.insert(event.child.index).second)
            continue;
        done = {event.child.index};
        cuts.push_back(event.start);
    }
    return cuts;
}

RunSplitter::Cuts RunSplitter::weightCuts(std::span<const std::uint32_t> run, std::size_t depth) const
{
    std::vector<std::size_t> cuts;
    std::unordered_map<std::int32_t, std::int32_t> workOfKey;
    for (std::size_t i = 0; i < run.size(); ++i) {
        const FramedNode& node = m_nodes[run[i]];
        if (node.frames.size() != depth + 1 || node.work == kNoMark)
            continue;
        for (const ParameterRead& read : m_parameters.reads[run[i]]) {
            if (read.key == kNoKey)
                continue;
            const auto [entry, isNew] = workOfKey.try_emplace(read.key, node.work);
            if (isNew || entry->second == node.work)
                continue;
            workOfKey.clear();
            workOfKey.emplace(read.key, node.work);
            if (cuts.empty() || cuts.back() != i)
                cuts.push_back(i);
        }
    }
    return cuts;
}

RunSplitter::Cuts RunSplitter::cutsOf(std::span<const std::uint32_t> run, std::size_t depth) const
{
    const PathId module = m_nodes[run[0]].frames[depth].path;
    if (isSingleOperation(m_paths.className(module)))
        return weightCuts(run, depth);
    const std::vector<CallEvent> events = eventsOf(run, depth);
    if (events.size() < 2)
        return {};
    if (isSequential(module, events))
        return itemCuts(events);
    if (Cuts cuts = returnCuts(events, m_code, m_parameters, m_paths); !cuts.empty())
        return cuts;
    if (walksList(module, events))
        return listCuts(events);
    for (const auto& sequence : {events, childrenOf(events)}) {
        if (sequence.empty())
            continue;
        const std::size_t period = periodOf(sequence);
        if (!isTelling(sequence, period))
            continue;
        Cuts cuts;
        for (std::size_t i = period; i < sequence.size(); i += period)
            cuts.push_back(sequence[i].start);
        return cuts;
    }
    return {};
}

} // namespace duo
