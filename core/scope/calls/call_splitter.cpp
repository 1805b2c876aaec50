// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/call_splitter.h"

#include "core/scope/calls/return_lines.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::size_t kMostStepsPerNode = 16;

/// Modules of PyTorch's own that do one thing per call.
bool isSingleOperation(std::string_view className)
{
    static constexpr std::array<std::string_view, 10> kFamilies{"torch.nn.modules.linear.", "torch.nn.modules.conv.",
        "torch.nn.modules.batchnorm.", "torch.nn.modules.instancenorm.", "torch.nn.modules.normalization.",
        "torch.nn.modules.sparse.", "torch.nn.modules.activation.", "torch.nn.modules.pooling.",
        "torch.nn.modules.padding.", "torch.nn.modules.flatten."};
    return className != "torch.nn.modules.activation.MultiheadAttention"
        && std::any_of(kFamilies.begin(), kFamilies.end(), [&](auto family) { return className.starts_with(family); });
}

std::vector<CallEvent> childrenOf(const std::vector<CallEvent>& events)
{
    std::vector<CallEvent> children;
    std::copy_if(events.begin(), events.end(), std::back_inserter(children),
        [](const CallEvent& event) { return event.child.valid(); });
    return children;
}

std::vector<std::uint32_t> countsOf(std::span<const std::uint32_t> labels)
{
    std::vector<std::uint32_t> counts;
    for (const std::uint32_t label : labels) {
        counts.resize(std::max<std::size_t>(counts.size(), label + 1));
        ++counts[label];
    }
    return counts;
}

/// One thing again and again is a loop, unless something else tells.
bool isOfSeveralKinds(std::span<const CallEvent> events)
{
    return std::any_of(
        events.begin(), events.end(), [&](const CallEvent& event) { return !event.isSame(events.front()); });
}

std::uint32_t commonDivisor(std::span<const std::uint32_t> counts)
{
    std::uint32_t divisor = 0;
    for (const std::uint32_t count : counts)
        divisor = std::gcd(divisor, count);
    return divisor;
}

/// Node to the event that it belongs to.
std::unordered_map<std::uint32_t, std::uint32_t> eventOfNode(const std::vector<CallEvent>& events)
{
    std::unordered_map<std::uint32_t, std::uint32_t> eventOf;
    for (std::size_t e = 0; e < events.size(); ++e) {
        for (const std::uint32_t n : events[e].nodes)
            eventOf.emplace(n, static_cast<std::uint32_t>(e));
    }
    return eventOf;
}

} // namespace

CallSplitter::CallSplitter(const Model& model, const NodeOrder& order, const std::vector<FramedNode>& nodes,
    const CodeLines& code, const Parameters& parameters, const ModulePaths& paths)
    : m_model(model)
    , m_order(order)
    , m_nodes(nodes)
    , m_code(code)
    , m_parameters(parameters)
    , m_paths(paths)
{
}

/// The nodes that give what a node reads; through nodes that the exporter made and that say nothing of their scope.
template <typename Visit> void CallSplitter::forProducers(std::uint32_t n, Visit visit) const
{
    constexpr std::size_t kMost = 64;
    std::vector<std::uint32_t> open{n};
    for (std::size_t i = 0; i < open.size(); ++i) {
        for (const ValueId input : m_model.nodes[open[i]].inputs) {
            const NodeId producer = input.valid() ? m_model.value(input).producer : NodeId{};
            if (!producer.valid())
                continue;
            if (m_nodes[producer.index].isScoped || isConstantNode(m_model.node(producer)))
                visit(producer.index);
            else if (open.size() < kMost && std::find(open.begin(), open.end(), producer.index) == open.end())
                open.push_back(producer.index);
        }
    }
}

std::vector<CallNodes> CallSplitter::split(Group group, std::size_t depth)
{
    if (group.size() == 1)
        return {{m_nodes[group[0]].frames[depth].site, {group[0]}}};
    const bool hasSite = std::any_of(
        group.begin(), group.end(), [&](std::uint32_t n) { return m_nodes[n].frames[depth].site != kNoMark; });
    if (hasSite)
        return splitAtSites(group, depth);
    std::vector<std::uint32_t> nodes(group.begin(), group.end());
    std::vector<CallNodes> calls;
    for (const Group part : atLines(nodes, depth)) {
        for (CallNodes& call : splitByEvidence(part, depth))
            calls.push_back(std::move(call));
    }
    return calls;
}

/// Pieces whose calls stand on different lines of the program; a node of which no line is known goes with the one
/// before it. Sorts `group` by them.
std::vector<CallSplitter::Group> CallSplitter::atLines(std::vector<std::uint32_t>& group, std::size_t depth) const
{
    const auto lineOf = [&](std::uint32_t n) { return m_nodes[n].frames[depth].line; };
    const auto known = std::find_if(group.begin(), group.end(), [&](auto n) { return lineOf(n) != kNoMark; });
    const bool isOne = known == group.end()
        || std::all_of(known, group.end(), [&](auto n) { return lineOf(n) == kNoMark || lineOf(n) == lineOf(*known); });
    if (isOne)
        return {group};
    std::vector<std::pair<std::int32_t, std::uint32_t>> lined;
    std::int32_t line = lineOf(*known);
    std::map<std::int32_t, std::int32_t> rank; // lines in order of appearance
    for (const std::uint32_t n : group) {
        line = lineOf(n) == kNoMark ? line : lineOf(n);
        lined.emplace_back(rank.try_emplace(line, static_cast<std::int32_t>(rank.size())).first->second, n);
    }
    std::stable_sort(lined.begin(), lined.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<Group> pieces;
    std::size_t start = 0;
    for (std::size_t i = 0; i < lined.size(); ++i) {
        group[i] = lined[i].second;
        if (i + 1 < lined.size() && lined[i + 1].first == lined[i].first)
            continue;
        pieces.push_back(Group(group).subspan(start, i + 1 - start));
        start = i + 1;
    }
    return pieces;
}

/// Where in a gap the next call begins: where the rest of the gap is what the first call did before its own work, else
/// where the first call's first event comes again, else at the end.
std::size_t CallSplitter::cutInGap(Group gap, std::span<const CallEvent> opening, std::size_t depth)
{
    if (opening.empty())
        return gap.size();
    const Events events = eventsOf(gap, depth);
    const auto startOf = [&](const CallEvent& event) {
        return static_cast<std::size_t>(std::find(gap.begin(), gap.end(), event.nodes.front()) - gap.begin());
    };
    const auto isSame = [](const CallEvent& a, const CallEvent& b) { return a.isSame(b); };
    if (events.size() >= opening.size()
        && std::equal(opening.begin(), opening.end(), events.end() - std::ssize(opening), isSame))
        return startOf(events[events.size() - opening.size()]);
    const auto again
        = std::find_if(events.begin(), events.end(), [&](const CallEvent& e) { return e.isSame(opening.front()); });
    return again == events.end() ? gap.size() : startOf(*again);
}

/// Nodes of a known site are of its call. Children do not say whose they are: the n-th of several alike is of the n-th
/// call, if that makes all calls wired alike, else it is a guess.
std::vector<CallNodes> CallSplitter::splitAtSites(Group group, std::size_t depth)
{
    const auto siteOf = [&](std::uint32_t n) { return m_nodes[n].frames[depth].site; };
    std::unordered_map<std::int32_t, std::uint32_t> numberOf;
    for (const std::uint32_t n : group) {
        if (siteOf(n) != kNoMark)
            numberOf.try_emplace(siteOf(n), static_cast<std::uint32_t>(numberOf.size()));
    }
    if (numberOf.size() == 1)
        return {{numberOf.begin()->first, {group.begin(), group.end()}}};
    const bool isKnown = std::none_of(group.begin(), group.end(), [&](auto n) { return siteOf(n) == kNoMark; });
    std::vector<std::int32_t> sites(numberOf.size());
    for (const auto& [site, number] : numberOf)
        sites[number] = site;
    std::vector<CallNodes> calls;
    if (isKnown) {
        calls.resize(sites.size());
        for (const std::uint32_t n : group)
            calls[numberOf[siteOf(n)]].nodes.push_back(n);
    } else {
        const Events events = eventsOf(group, depth);
        calls = turnsOf(events, numberOf, depth);
        if (calls.empty())
            calls = guessedAtSites(group, numberOf, depth);
    }
    for (std::size_t c = 0; c < calls.size(); ++c)
        calls[c].site = sites[c];
    return calls;
}

std::vector<CallNodes> CallSplitter::turnsOf(
    const Events& events, const std::unordered_map<std::int32_t, std::uint32_t>& numberOf, std::size_t depth) const
{
    const auto count = static_cast<std::uint32_t>(numberOf.size());
    const std::vector<std::uint32_t> labels = labelsOf(events);
    const std::vector<std::uint32_t> counts = countsOf(labels);
    std::vector<std::uint32_t> seen(counts.size(), 0);
    Windows windows{{}, count};
    for (std::size_t e = 0; e < events.size(); ++e) {
        if (const auto known = numberOf.find(m_nodes[events[e].nodes.front()].frames[depth].site);
            known != numberOf.end())
            windows.ofEvent.push_back(known->second);
        else if (counts[labels[e]] % count != 0)
            return {};
        else
            windows.ofEvent.push_back(seen[labels[e]]++ / (counts[labels[e]] / count));
    }
    std::vector<Wire> wires = wiresOf(events);
    std::erase_if(wires, [&](const Wire& wire) { // own work says itself whose it is
        return !events[wire.from].child.valid() && !events[wire.to].child.valid();
    });
    return isWiredAlike(wires, labels, windows) ? callsOf(events, windows, Provenance::Recorded)
                                                : std::vector<CallNodes>{};
}

/// Nodes without a known site stand between two with one, and belong to either.
std::vector<CallNodes> CallSplitter::guessedAtSites(
    Group group, std::unordered_map<std::int32_t, std::uint32_t>& numberOf, std::size_t depth)
{
    const auto siteOf = [&](std::size_t i) { return m_nodes[group[i]].frames[depth].site; };
    std::vector<std::int32_t> sites(group.size(), kNoMark);
    std::size_t i = 0;
    while (siteOf(i) == kNoMark)
        ++i;
    std::fill(sites.begin(), sites.begin() + static_cast<std::ptrdiff_t>(i), siteOf(i));
    const Events opening = i == 0 ? Events{} : eventsOf(group.first(i), depth);
    while (i < group.size()) {
        std::size_t next = i + 1;
        while (next < group.size() && siteOf(next) == kNoMark)
            ++next;
        std::size_t cut = next;
        if (next < group.size() && siteOf(next) != siteOf(i))
            cut = i + 1 + cutInGap(group.subspan(i + 1, next - i - 1), opening, depth);
        for (std::size_t g = i; g < next; ++g)
            sites[g] = g < cut ? siteOf(i) : siteOf(next);
        i = next;
    }
    std::vector<CallNodes> calls(numberOf.size());
    for (std::size_t k = 0; k < group.size(); ++k)
        calls[numberOf[sites[k]]].nodes.push_back(group[k]);
    for (CallNodes& call : calls)
        call.childrenFrom = Provenance::Guess;
    return calls;
}

/// Whether the module reads parameters, none of them by two operations alike: then it ran once.
bool CallSplitter::readsNothingAgain(Group group) const
{
    std::map<std::tuple<std::int32_t, TensorId, std::int32_t, PathId>, std::uint64_t> readers;
    for (const std::uint32_t n : group) {
        const FramedNode& node = m_nodes[n];
        const std::uint64_t work
            = node.work == kNoMark ? std::uint64_t{1} << 32 | n : static_cast<std::uint32_t>(node.work);
        for (const ParameterRead& read : m_parameters.reads[n]) {
            const TensorId tensor = read.key == kNoKey ? read.tensor : TensorId{};
            const auto [entry, isNew]
                = readers.try_emplace({read.key, tensor, node.kind, node.frames.back().path}, work);
            if (!isNew && entry->second != work)
                return false;
        }
    }
    return !readers.empty();
}

std::vector<CallNodes> CallSplitter::splitByEvidence(Group group, std::size_t depth)
{
    if (group.size() == 1 || readsNothingAgain(group))
        return {{kNoMark, {group.begin(), group.end()}}};
    const Events events = eventsOf(group, depth);
    if (events.size() < 2)
        return {{kNoMark, {group.begin(), group.end()}}};
    const PathId module = m_nodes[group[0]].frames[depth].path;
    const std::string& className = m_paths.className(module);
    if (const std::vector<std::size_t> cuts = returnCuts(events, m_code, m_parameters, m_paths); !cuts.empty()) {
        Windows windows{std::vector<std::uint32_t>(events.size()), static_cast<std::uint32_t>(cuts.size() + 1)};
        for (std::size_t e = 0, cut = 0; e < events.size(); ++e) {
            cut += cut < cuts.size() && cuts[cut] == e ? 1 : 0;
            windows.ofEvent[e] = static_cast<std::uint32_t>(cut);
        }
        return callsOf(events, windows, Provenance::Recorded);
    }
    const bool isOncePerCall = isSingleOperation(className) || className.starts_with("torch.nn.modules.rnn.")
        || className == "torch.nn.modules.container.Sequential";
    const bool mayBeAlike = isOncePerCall || runsItemsInTurn(module, events) || walksList(module, events);
    if (const auto windows = windowsOf(events)) {
        const bool isSure = isOncePerCall || leavesBetween(events, *windows);
        if (isSure || mayBeAlike || isOfSeveralKinds(events))
            return callsOf(events, *windows, isSure ? Provenance::Recorded : Provenance::Guess);
    }
    if (isSingleOperation(className) || className.starts_with("torch.nn.modules.rnn.")) {
        if (const auto windows = windowsOfReads(events))
            return callsOf(events, *windows, Provenance::Recorded);
    }
    const bool isOne = doesSomethingOnce(events);
    const Events children = childrenOf(events);
    const bool canTell = !isOne && children.size() != events.size() && (mayBeAlike || isOfSeveralKinds(children));
    if (const auto windows = canTell ? windowsOf(children) : std::nullopt) {
        Windows all{std::vector<std::uint32_t>(events.size(), 0), windows->count};
        for (std::size_t e = 0, child = 0; e < events.size(); ++e) {
            if (events[e].child.valid())
                all.ofEvent[e] = windows->ofEvent[child++];
            else if (e > 0)
                all.ofEvent[e] = all.ofEvent[e - 1];
        }
        return callsOf(events, all, Provenance::Guess);
    }
    return {{kNoMark, {group.begin(), group.end()}, isOne ? Provenance::Recorded : Provenance::Guess,
        isOne ? Provenance::Recorded : Provenance::Guess}};
}

std::vector<CallEvent> CallSplitter::eventsOf(Group group, std::size_t depth)
{
    Events events;
    std::map<std::pair<std::int32_t, PathId>, std::size_t> ofWork; // operations, and groups of children
    std::vector<std::vector<std::uint32_t>> children;
    std::map<PathId, std::size_t> ofChild;
    for (const std::uint32_t n : group) {
        const FramedNode& node = m_nodes[n];
        CallEvent event = eventOf(node, depth);
        if (event.child.valid()) {
            const auto [entry, isNew] = ofChild.try_emplace(event.child, children.size());
            if (isNew)
                children.emplace_back();
            children[entry->second].push_back(n);
            continue;
        }
        for (const ParameterRead& read : m_parameters.reads[n])
            event.key = event.key == kNoKey ? read.key : event.key;
        event.nodes = {n};
        const auto [entry, isNew] = ofWork.try_emplace({node.work, PathId{}}, events.size());
        if (isNew || node.work == kNoMark)
            events.push_back(std::move(event));
        else
            events[entry->second].nodes.push_back(n);
    }
    for (const auto& nodes : children) {
        for (CallNodes& call : split(nodes, depth + 1)) {
            CallEvent event = eventOf(m_nodes[call.nodes.front()], depth);
            event.nodes = std::move(call.nodes);
            events.push_back(std::move(event));
        }
    }
    std::sort(events.begin(), events.end(), [&](const CallEvent& a, const CallEvent& b) {
        return m_order.isBefore(NodeId(a.nodes.front()), NodeId(b.nodes.front()));
    });
    return events;
}

/// Whether all that is done is to call items of its own: a Sequential, as far as names tell.
bool CallSplitter::runsItemsInTurn(PathId module, const Events& events) const
{
    return m_paths.className(module).empty() && std::all_of(events.begin(), events.end(), [&](const CallEvent& event) {
        return event.child.valid() && m_paths.parent(event.child) == module
            && itemNumber(m_paths.atom(event.child)) >= 0;
    });
}

/// Whether all that is done is to call numbered items of one list that the module holds.
bool CallSplitter::walksList(PathId module, const Events& events) const
{
    if (!events[0].child.valid())
        return false;
    const PathId list = m_paths.parent(events[0].child);
    return list != module && std::all_of(events.begin(), events.end(), [&](const CallEvent& event) {
        return event.child.valid() && m_paths.parent(event.child) == list && itemNumber(m_paths.atom(event.child)) >= 0;
    });
}

/// As many windows as possible, of the same events each and wired alike; the n-th of several events alike is in the
/// window of its turn. Nothing for less than two.
std::optional<CallSplitter::Windows> CallSplitter::windowsOf(const Events& events) const
{
    const std::vector<std::uint32_t> labels = labelsOf(events);
    const std::vector<std::uint32_t> counts = countsOf(labels);
    const std::uint32_t most = commonDivisor(counts);
    const std::vector<Wire> wires = most > 1 ? wiresOf(events) : std::vector<Wire>{};
    for (std::uint32_t count = most; count > 1; --count) {
        if (most % count != 0)
            continue;
        Windows windows{{}, count};
        std::vector<std::uint32_t> seen(counts.size(), 0);
        for (const std::uint32_t label : labels)
            windows.ofEvent.push_back(seen[label]++ / (counts[label] / count));
        if (isWiredAlike(wires, labels, windows))
            return windows;
    }
    return std::nullopt;
}

/// For modules that read each of their parameters once per call, which do not do quite the same in each: one window per
/// read of the parameter that is read most. What follows from a read is in its window; another read is where it is
/// used.
std::optional<CallSplitter::Windows> CallSplitter::windowsOfReads(const Events& events) const
{
    std::map<std::int32_t, std::uint32_t> reads;
    for (const CallEvent& event : events) {
        if (event.key != kNoKey)
            ++reads[event.key];
    }
    const auto most = std::max_element(
        reads.begin(), reads.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == reads.end() || most->second < 2)
        return std::nullopt;
    constexpr auto kNone = std::numeric_limits<std::uint32_t>::max();
    Windows windows{std::vector<std::uint32_t>(events.size(), kNone), most->second};
    const auto eventOf = eventOfNode(events);
    std::vector<std::uint32_t> usedIn(events.size(), kNone);
    const auto forEvents = [&](std::size_t e, auto visit) {
        for (const std::uint32_t n : events[e].nodes) {
            forProducers(n, [&](std::uint32_t producer) {
                const auto from = eventOf.find(producer);
                if (from != eventOf.end() && from->second != e)
                    visit(from->second);
            });
        }
    };
    std::uint32_t next = 0;
    for (std::size_t e = 0; e < events.size(); ++e) {
        std::uint32_t& window = windows.ofEvent[e];
        if (events[e].key == most->first) {
            window = next++;
            continue;
        }
        forEvents(e, [&](std::size_t from) {
            const std::uint32_t before = windows.ofEvent[from];
            window = window == kNone ? before : before == kNone ? window : std::max(window, before);
        });
    }
    for (std::size_t e = events.size(); e-- > 0;) {
        const bool isOther = events[e].key != kNoKey && events[e].key != most->first;
        if ((isOther || windows.ofEvent[e] == kNone) && usedIn[e] != kNone)
            windows.ofEvent[e] = usedIn[e];
        forEvents(e, [&](std::size_t from) { usedIn[from] = std::min(usedIn[from], windows.ofEvent[e]); });
    }
    for (std::uint32_t& window : windows.ofEvent)
        window = window == kNone ? 0 : window;
    return windows;
}

std::vector<CallSplitter::Wire> CallSplitter::wiresOf(const Events& events) const
{
    const auto eventOf = eventOfNode(events);
    std::vector<Wire> wires;
    for (std::size_t e = 0; e < events.size(); ++e) {
        for (const std::uint32_t n : events[e].nodes) {
            forProducers(n, [&](std::uint32_t producer) {
                const auto from = eventOf.find(producer);
                if (from != eventOf.end() && from->second != e)
                    wires.push_back({from->second, static_cast<std::uint32_t>(e)});
            });
        }
    }
    return wires;
}

bool CallSplitter::isWiredAlike(
    std::span<const Wire> wires, std::span<const std::uint32_t> labels, const Windows& windows)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> inside; // by labels; per window
    for (const auto& [from, to] : wires) {
        if (windows.ofEvent[from] > windows.ofEvent[to])
            return false;
        if (windows.ofEvent[from] < windows.ofEvent[to])
            continue;
        auto& counts = inside[{labels[from], labels[to]}];
        counts.resize(windows.count);
        ++counts[windows.ofEvent[to]];
    }
    return std::all_of(inside.begin(), inside.end(), [](const auto& wire) {
        return std::all_of(wire.second.begin(), wire.second.end(), [&](auto count) { return count == wire.second[0]; });
    });
}

/// Nothing is done twice; or what is done once reads a parameter, or depends on what is done again and again: a second
/// call would do it again, too.
bool CallSplitter::doesSomethingOnce(const Events& events) const
{
    const std::vector<std::uint32_t> labels = labelsOf(events);
    const std::vector<std::uint32_t> counts = countsOf(labels);
    if (std::all_of(counts.begin(), counts.end(), [](std::uint32_t count) { return count == 1; }))
        return true;
    const auto eventOf = eventOfNode(events);
    const auto tells = [&](std::uint32_t n) {
        bool isBehind = !m_parameters.reads[n].empty();
        forProducers(n, [&](std::uint32_t producer) {
            const auto from = eventOf.find(producer);
            isBehind = isBehind || (from != eventOf.end() && counts[labels[from->second]] > 1);
        });
        return isBehind;
    };
    for (std::size_t e = 0; e < events.size(); ++e) {
        if (counts[labels[e]] == 1 && std::any_of(events[e].nodes.begin(), events[e].nodes.end(), tells))
            return true;
    }
    return false;
}

/// Whether what some windows give goes through work of other modules before it comes to the next one, and the calls
/// that this makes can only be alike if each is one window: a call does not hand on its results while it runs.
bool CallSplitter::leavesBetween(const Events& events, const Windows& windows)
{
    std::unordered_map<std::uint32_t, std::uint32_t> windowOf;
    std::vector<std::uint32_t> firstOf(windows.count, std::numeric_limits<std::uint32_t>::max());
    for (std::size_t e = 0; e < events.size(); ++e) {
        for (const std::uint32_t n : events[e].nodes) {
            windowOf.emplace(n, windows.ofEvent[e]);
            std::uint32_t& first = firstOf[windows.ofEvent[e]];
            first = std::min(first, m_order.position[n]);
        }
    }
    std::vector<bool> isLeft(windows.count, false); // the window before this one
    std::vector<std::pair<std::uint32_t, bool>> open; // nodes between windows, and whether other work lies behind them
    std::unordered_set<std::uint64_t> seen;
    for (std::size_t e = 0; e < events.size(); ++e) {
        const std::uint32_t window = windows.ofEvent[e];
        if (window == 0 || isLeft[window])
            continue;
        for (const std::uint32_t n : events[e].nodes)
            open.emplace_back(n, false);
        while (!open.empty() && !isLeft[window]) {
            const auto [n, isPast] = open.back();
            open.pop_back();
            if (++m_steps > kMostStepsPerNode * m_model.nodes.size())
                return false;
            for (const ValueId input : m_model.nodes[n].inputs) {
                const NodeId producer = input.valid() ? m_model.value(input).producer : NodeId{};
                if (!producer.valid() || m_order.position[producer.index] < firstOf[window - 1])
                    continue;
                if (const auto in = windowOf.find(producer.index); in != windowOf.end()) {
                    isLeft[window] = isLeft[window] || (isPast && in->second == window - 1);
                    continue;
                }
                const bool isOther = m_nodes[producer.index].isScoped && !isConstantNode(m_model.node(producer));
                const std::uint64_t key = (std::uint64_t{producer.index} << 1 | std::uint64_t{isPast || isOther})
                    ^ (std::uint64_t{window} << 33);
                if (seen.insert(key).second)
                    open.emplace_back(producer.index, isPast || isOther);
            }
        }
        open.clear();
    }
    std::uint32_t divisor = 0; // of the numbers of windows between which the module is not left
    std::uint32_t length = 1;
    for (std::uint32_t window = 1; window < windows.count; ++window) {
        divisor = isLeft[window] ? std::gcd(divisor, length) : divisor;
        length = isLeft[window] ? 1 : length + 1;
    }
    return length < windows.count && std::gcd(divisor, length) == 1;
}

std::vector<CallNodes> CallSplitter::callsOf(const Events& events, const Windows& windows, Provenance from) const
{
    std::vector<CallNodes> calls(windows.count);
    for (std::size_t e = 0; e < events.size(); ++e) {
        auto& nodes = calls[windows.ofEvent[e]].nodes;
        nodes.insert(nodes.end(), events[e].nodes.begin(), events[e].nodes.end());
    }
    for (CallNodes& call : calls) {
        call.from = call.childrenFrom = from;
        std::sort(call.nodes.begin(), call.nodes.end(),
            [&](std::uint32_t a, std::uint32_t b) { return m_order.isBefore(NodeId(a), NodeId(b)); });
    }
    return calls;
}

} // namespace duo
