// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/error_start.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

constexpr double kJumpDb = 6; // noise four times as strong
constexpr std::size_t kMost = 3;
constexpr double kExact = std::numeric_limits<double>::infinity();

double decibelsOf(const ValueDifference& value)
{
    return value.identical ? kExact : value.sqnrDb.value_or(-kExact);
}

double finite(double decibels)
{
    return std::max(decibels, kNotFiniteDb);
}

struct Found {
    std::size_t depth = 0;
    NodeId id;
    ErrorStart start;
};

/// Independent ones by name: their order in the file means nothing.
std::vector<Found> firstOf(std::vector<Found> all, std::size_t most)
{
    std::ranges::sort(all, [](const Found& a, const Found& b) {
        return std::tie(a.depth, a.start.value) < std::tie(b.depth, b.start.value);
    });
    all.resize(std::min(most, all.size()));
    return all;
}

double decibelsOf(double noise)
{
    return finite(-10 * std::log10(noise));
}

struct Seen {
    std::vector<double> known; // [values] decibels
    std::vector<Found> first; // where the error is seen first
};

/// Nothing where all are exact.
std::optional<double> worstInput(const Node& node, const std::vector<double>& known)
{
    double worst = kExact;
    for (const ValueId value : node.inputs)
        worst = value.valid() ? std::min(worst, known[value.index]) : worst;
    return worst == kExact ? std::nullopt : std::optional(finite(worst));
}

/// Follows errors against the dataflow to the node that makes them.
class Origins
{
public:
    Origins(const Model& model, const MeasureOwnErrors& measure, const Seen& seen)
        : m_model(model)
        , m_known(seen.known)
    {
        for (const OwnError& error : measure(nodesBefore(seen.first)))
            m_errors.emplace(error.node, error);
    }

    [[nodiscard]] ErrorStart of(Found found) const
    {
        const OwnError* last = errorOf(found.id);
        const bool isSeen = last != nullptr && std::abs(decibelsOf(last->total) - found.start.sqnrDb) < kSameDb;
        if (!isSeen)
            return unknown(std::move(found.start)); // apart from its neighbours it comes out otherwise
        if (last->own >= kOwnShare * last->total)
            return std::move(found.start);
        const NodeId origin = madeBefore(*last);
        if (!origin.valid())
            return unknown(std::move(found.start));
        const OwnError& made = m_errors.at(origin);
        const Node& node = m_model.node(origin);
        ErrorStart start{m_model.value(node.outputs.front()).name, node.name, decibelsOf(made.total), std::nullopt};
        start.inputDb = worstInput(node, m_known);
        start.magnifier = found.start.node;
        start.magnifiedDb = found.start.sqnrDb;
        return start;
    }

private:
    static constexpr double kOwnShare = 0.25; // of the noise: with less of its own a node is not where it starts
    static constexpr double kMostShare = 0.5; // of it is made by one node, or carried by one input
    static constexpr double kSameDb = 3;
    static constexpr std::size_t kMostNodes = 32;

    static ErrorStart unknown(ErrorStart start)
    {
        start.kind = start.kind == StartKind::Grows ? StartKind::Grows : StartKind::Jumps;
        return start;
    }

    /// Those found and the nodes before them, breadth first.
    [[nodiscard]] std::vector<NodeId> nodesBefore(const std::vector<Found>& found) const
    {
        std::vector<NodeId> nodes;
        std::unordered_set<NodeId> taken;
        const auto take = [&](NodeId id) {
            if (id.valid() && nodes.size() < kMostNodes && taken.insert(id).second)
                nodes.push_back(id);
        };
        for (const Found& one : found)
            take(one.id);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            for (const ValueId value : m_model.node(nodes[i]).inputs) {
                if (value.valid() && m_model.constant(value) == nullptr)
                    take(m_model.value(value).producer);
            }
        }
        return nodes;
    }

    [[nodiscard]] const OwnError* errorOf(NodeId id) const
    {
        const auto found = m_errors.find(id);
        return found == m_errors.end() || !std::isfinite(found->second.total) ? nullptr : &found->second;
    }

    /// The node that makes most of the noise that `error` only passes on; none where it comes from several, or grows
    /// along the way.
    [[nodiscard]] NodeId madeBefore(const OwnError& last) const
    {
        const OwnError* error = &last;
        for (std::size_t steps = 0; steps < kMostNodes; ++steps) {
            const ValueId carrier = carrierOf(*error);
            error = carrier.valid() ? errorOf(m_model.value(carrier).producer) : nullptr;
            if (error == nullptr || m_model.node(error->node).outputs.front() != carrier)
                return {};
            if (error->own >= kMostShare * error->total)
                return error->node;
            if (error->own >= kOwnShare * error->total)
                return {};
        }
        return {};
    }

    /// The input that most of the noise comes by.
    static ValueId carrierOf(const OwnError& error)
    {
        double all = 0;
        const OwnError::Input* most = nullptr;
        for (const OwnError::Input& input : error.inputs) {
            all += input.noise;
            if (most == nullptr || input.noise > most->noise)
                most = &input;
        }
        const bool carriesMost = most != nullptr && most->noise > kMostShare * all
            && most->noise > kMostShare * error.total && std::isfinite(all);
        return carriesMost ? most->value : ValueId{};
    }

    const Model& m_model;
    const std::vector<double>& m_known;
    std::map<NodeId, OwnError> m_errors;
};

Seen seenFirst(const Model& model, const std::vector<ValueDifference>& values)
{
    std::unordered_map<std::string_view, double> measured;
    for (const ValueDifference& value : values) {
        if (value.identical || !value.equal) // whole numbers have no noise: they pass on what they are computed from
            measured.emplace(value.name, decibelsOf(value));
    }
    Seen seen;
    seen.known.assign(model.values.size(), kExact);
    std::vector<std::size_t> depth(model.values.size(), 0); // [values] nodes on the longest way to it
    std::vector<Found> jumps;
    std::vector<Found> low;
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        const auto before = worstInput(node, seen.known);
        const double input = before.value_or(kExact);
        std::size_t above = 0;
        for (const ValueId value : node.inputs)
            above = value.valid() ? std::max(above, depth[value.index]) : above;
        for (const ValueId value : node.outputs) {
            if (!value.valid())
                continue;
            const std::string& name = model.value(value).name;
            const auto found = measured.find(name);
            const double own = found == measured.end() ? input : found->second;
            seen.known[value.index] = own;
            depth[value.index] = above + 1;
            if (found == measured.end() || !(own < verdictBounds().goodDb))
                continue;
            const bool isJump = input > kNotFiniteDb && own <= input - kJumpDb;
            low.push_back(
                {above, id, {name, node.name, finite(own), before, isJump ? StartKind::Starts : StartKind::Grows}});
            if (isJump)
                jumps.push_back(low.back());
        }
    }
    seen.first = jumps.empty() ? firstOf(std::move(low), 1) : firstOf(std::move(jumps), kMost);
    return seen;
}

} // namespace

std::vector<ErrorStart> errorStarts(
    const Model& model, const std::vector<ValueDifference>& values, const MeasureOwnErrors& measure)
{
    const Seen seen = seenFirst(model, values);
    if (seen.first.empty())
        return {};
    const Origins origins(model, measure, seen);
    std::vector<ErrorStart> starts;
    for (const Found& one : seen.first) {
        ErrorStart start = origins.of(one);
        if (std::ranges::find(starts, start.value, &ErrorStart::value) == starts.end())
            starts.push_back(std::move(start));
    }
    return starts;
}

} // namespace duo
