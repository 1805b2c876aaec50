// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/run_splitter.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <unordered_map>

namespace duo {
namespace {

constexpr std::int64_t kChildKeys = std::int64_t{1} << 40; // above every kind of operation

/// Modules that do one operation with each of their parameters.
bool isSingleOperation(std::string_view className)
{
    static constexpr std::array<std::string_view, 6> kFamilies{"torch.nn.modules.linear.", "torch.nn.modules.conv.",
        "torch.nn.modules.batchnorm.", "torch.nn.modules.instancenorm.", "torch.nn.modules.normalization.",
        "torch.nn.modules.sparse."};
    return std::any_of(kFamilies.begin(), kFamilies.end(), [&](auto family) { return className.starts_with(family); });
}

std::int64_t itemNumber(std::string_view atom)
{
    std::int64_t number = -1;
    const auto [rest, error] = std::from_chars(atom.data(), atom.data() + atom.size(), number);
    return error == std::errc{} && rest == atom.data() + atom.size() ? number : -1;
}

/// Length of the shortest piece that the sequence is a whole repetition of (Knuth, Morris, Pratt); its size if none.
std::size_t periodOf(const std::vector<std::int64_t>& keys)
{
    std::vector<std::size_t> border(keys.size() + 1, 0);
    std::size_t length = 0;
    for (std::size_t i = 1; i < keys.size(); ++i) {
        while (length > 0 && keys[i] != keys[length])
            length = border[length];
        if (keys[i] == keys[length])
            ++length;
        border[i + 1] = length;
    }
    const std::size_t period = keys.size() - border[keys.size()];
    return keys.size() % period == 0 ? period : keys.size();
}

/// A repetition tells calls apart if it is of several different things: one thing again and again is a loop.
bool isTelling(const std::vector<std::int64_t>& keys, std::size_t period)
{
    if (period == keys.size())
        return false;
    return std::any_of(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(period),
        [&](std::int64_t key) { return key != keys.front(); });
}

} // namespace

RunSplitter::RunSplitter(const std::vector<FramedNode>& nodes, const Parameters& parameters, const ModulePaths& paths)
    : m_nodes(nodes)
    , m_parameters(parameters)
    , m_paths(paths)
{
}

std::vector<CallNodes> RunSplitter::split(std::span<const std::uint32_t> run, std::size_t depth) const
{
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

RunSplitter::Event RunSplitter::eventAt(std::uint32_t node, std::size_t depth) const
{
    const FramedNode& framed = m_nodes[node];
    Event event;
    event.isChild = framed.frames.size() > depth + 1;
    event.key = event.isChild ? kChildKeys + framed.frames[depth + 1].path.index : framed.kind;
    return event;
}

/// Where in a gap the next call begins: where the rest of the gap is what the first call did before its own work, else
/// where the first call's first event comes again, else at the end.
std::size_t RunSplitter::cutInGap(
    std::span<const std::uint32_t> gap, std::span<const Event> opening, std::size_t depth) const
{
    const std::vector<Event> events = eventsOf(gap, depth);
    if (opening.empty())
        return gap.size();
    const auto isSame = [](const Event& a, const Event& b) { return a.key == b.key; };
    if (events.size() >= opening.size()
        && std::equal(opening.begin(), opening.end(), events.end() - std::ssize(opening), isSame))
        return events[events.size() - opening.size()].start;
    const auto again
        = std::find_if(events.begin(), events.end(), [&](const Event& e) { return e.key == opening.front().key; });
    return again == events.end() ? gap.size() : again->start;
}

/// Nodes without a known site stand between two with one, and belong to either.
std::vector<CallNodes> RunSplitter::splitAtSites(std::span<const std::uint32_t> run, std::size_t depth) const
{
    const auto siteOf = [&](std::size_t i) { return m_nodes[run[i]].frames[depth].site; };
    std::vector<std::int32_t> sites(run.size(), kNoMark);
    std::size_t i = 0;
    while (i < run.size() && siteOf(i) == kNoMark)
        ++i;
    std::fill(sites.begin(), sites.begin() + static_cast<std::ptrdiff_t>(i), siteOf(i));
    const std::vector<Event> opening = eventsOf(run.first(i), depth);
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

std::vector<RunSplitter::Event> RunSplitter::eventsOf(std::span<const std::uint32_t> run, std::size_t depth) const
{
    std::vector<Event> events;
    for (std::size_t i = 0; i < run.size(); ++i) {
        Event event = eventAt(run[i], depth);
        event.start = i;
        const FramedNode& node = m_nodes[run[i]];
        if (i > 0) {
            const FramedNode& last = m_nodes[run[i - 1]];
            const bool isSameKind = eventAt(run[i - 1], depth).key == event.key;
            const bool isLeafCall = event.isChild && node.frames.size() == depth + 2 && last.frames.size() == depth + 2;
            const bool isSameCall = isLeafCall ? node.frames.back().site == last.frames.back().site : event.isChild;
            const bool isSameWork = !event.isChild && node.work != kNoMark && node.work == last.work;
            if (isSameKind && (isSameCall || isSameWork))
                continue;
        }
        events.push_back(event);
    }
    return events;
}

bool RunSplitter::isSequential(PathId module, const std::vector<Event>& events) const
{
    const std::string& className = m_paths.className(module);
    if (!className.empty())
        return className == "torch.nn.modules.container.Sequential";
    return std::all_of(events.begin(), events.end(), [&](const Event& event) {
        if (!event.isChild)
            return false;
        const PathId child(static_cast<std::size_t>(event.key - kChildKeys));
        return m_paths.parent(child) == module && itemNumber(m_paths.atom(child)) >= 0;
    });
}

/// A Sequential runs its items in order, each once per call.
std::vector<std::size_t> RunSplitter::itemCuts(const std::vector<Event>& events) const
{
    std::vector<std::size_t> cuts;
    std::int64_t last = -1;
    for (const Event& event : events) {
        const std::int64_t item
            = event.isChild ? itemNumber(m_paths.atom(PathId(static_cast<std::size_t>(event.key - kChildKeys)))) : -1;
        if (item < 0)
            continue;
        if (item <= last)
            cuts.push_back(event.start);
        last = item;
    }
    return cuts;
}

std::vector<std::size_t> RunSplitter::weightCuts(std::span<const std::uint32_t> run, std::size_t depth) const
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

std::vector<std::size_t> RunSplitter::cutsOf(std::span<const std::uint32_t> run, std::size_t depth) const
{
    const PathId module = m_nodes[run[0]].frames[depth].path;
    if (isSingleOperation(m_paths.className(module)))
        return weightCuts(run, depth);
    const std::vector<Event> events = eventsOf(run, depth);
    if (isSequential(module, events))
        return itemCuts(events);
    for (const bool childrenOnly : {false, true}) {
        std::vector<std::int64_t> keys;
        std::vector<std::size_t> starts;
        for (const Event& event : events) {
            if (childrenOnly && !event.isChild)
                continue;
            keys.push_back(event.key);
            starts.push_back(event.start);
        }
        if (keys.empty())
            return {};
        const std::size_t period = periodOf(keys);
        if (!isTelling(keys, period))
            continue;
        std::vector<std::size_t> cuts;
        for (std::size_t i = period; i < starts.size(); i += period)
            cuts.push_back(starts[i]);
        return cuts;
    }
    return {};
}

} // namespace duo
