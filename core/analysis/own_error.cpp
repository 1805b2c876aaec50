// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/own_error.h"

#include "core/analysis/signal_error.h"
#include "core/calibrate/tapped_model.h"
#include "core/engine/open_model.h"
#include "core/engine/swap_domain.h"
#include "core/transform/node_name_edits.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace duo {
namespace {

constexpr std::size_t kMostInputs = 16; // of one node
constexpr std::size_t kMostEdges = 192;
constexpr std::int64_t kMostBytes = std::int64_t{24} << 20; // of the values of one run, about
constexpr std::size_t kLeastNodes = 4; // that are asked for where more would hold too much

struct Edge {
    NodeId node;
    std::uint32_t port = 0;
    ValueId value;
    auto operator<=>(const Edge&) const = default;
};

/// A node, or one with what is only computed for it in the float model.
struct Part {
    NodeId node;
    std::vector<std::size_t> edges; // in Parts::edges
};

bool isComputed(const Model& model, ValueId id)
{
    return id.valid() && model.value(id).producer.valid() && model.constant(id) == nullptr
        && model.value(id).region == RegionId(0);
}

bool mayHoldFloats(const Value& value)
{
    return value.type.element == ElementType::Undefined || isFloating(value.type.element);
}

class Parts
{
public:
    Parts(const Model& a, const Model& b)
        : m_a(a)
        , m_b(b)
    {
    }

    void add(NodeId id)
    {
        const Node& node = m_a.node(id);
        const bool isInMain = node.region == RegionId(0) && !node.isCall;
        if (!isInMain || node.outputs.empty() || !isShared(node.outputs.front()))
            return;
        std::set<Edge> found;
        if (!collect(id, found, 0) || found.size() > kMostInputs || m_edges.size() + found.size() > kMostEdges)
            return;
        Part part{id, {}};
        for (const Edge& edge : found) {
            part.edges.push_back(m_places.try_emplace(edge, m_edges.size()).first->second);
            if (part.edges.back() == m_edges.size())
                m_edges.push_back(edge);
        }
        m_parts.push_back(std::move(part));
    }

    [[nodiscard]] const std::vector<Part>& parts() const { return m_parts; }
    [[nodiscard]] const std::vector<Edge>& edges() const { return m_edges; }

    /// All that have to be seen.
    [[nodiscard]] std::vector<std::string> values() const
    {
        std::set<std::string> names;
        for (const Part& part : m_parts)
            names.insert(m_a.value(m_a.node(part.node).outputs.front()).name);
        for (const Edge& edge : m_edges)
            names.insert(m_a.value(edge.value).name);
        return {names.begin(), names.end()};
    }

private:
    [[nodiscard]] bool isShared(ValueId id) const
    {
        return isComputed(m_a, id) && m_a.value(id).type.element == ElementType::Float32
            && isComputed(m_b, m_b.findValue(m_a.value(id).name));
    }

    /// @return false where an input can neither be seen nor followed
    [[nodiscard]] bool collect(NodeId id, std::set<Edge>& found, int depth) const
    {
        constexpr int kDeepest = 4;
        const Node& node = m_a.node(id);
        const bool hasBody = std::ranges::any_of(m_a.regions, [&](const Region& region) { return region.owner == id; });
        if (depth > kDeepest || node.isCall || hasBody)
            return false;
        for (std::uint32_t port = 0; port < node.inputs.size(); ++port) {
            const ValueId value = node.inputs[port];
            if (!isComputed(m_a, value))
                continue; // the same in both
            if (isShared(value))
                found.insert({id, port, value});
            else if (mayHoldFloats(m_a.value(value)) && !collect(m_a.value(value).producer, found, depth + 1))
                return false;
        }
        return true;
    }

    const Model& m_a;
    const Model& m_b;
    std::vector<Part> m_parts;
    std::vector<Edge> m_edges;
    std::map<Edge, std::size_t> m_places;
};

using Tensors = std::map<std::string, HostTensor, std::less<>>;

Result<Tensors> fetched(const Session& session, const std::vector<std::string>& names,
    std::span<const HostTensor> feeds, const JobContext& job)
{
    DUO_TRY(values, session.run(feeds, names, job));
    Tensors tensors;
    for (HostTensor& value : values)
        tensors.emplace(value.name, std::move(value));
    return tensors;
}

double noiseBetween(const HostTensor& a, const HostTensor& b)
{
    if (a.dims != b.dims)
        return std::numeric_limits<double>::infinity();
    const SignalError error = signalError(viewOf(a), viewOf(b));
    if (error.noise == 0)
        return 0;
    return error.signal > 0 ? error.noise / error.signal : std::numeric_limits<double>::infinity();
}

/// Nodes of which the first are asked for, as many as values of can be held.
struct Asked {
    Parts parts;
    std::vector<std::string> values;
    Tensors ofA;
};

/// @return nothing where even those of few nodes are too large to be held at once
Result<std::optional<Asked>> askedOf(const Model& a, const Model& b, std::span<const NodeId> nodes,
    std::span<const HostTensor> feeds, const JobContext& job)
{
    for (std::size_t count = nodes.size();; count /= 2) {
        Asked asked{Parts(a, b), {}, {}};
        for (const NodeId node : nodes.first(count))
            asked.parts.add(node);
        if (asked.parts.parts().empty())
            return std::optional<Asked>();
        asked.values = asked.parts.values();
        DUO_TRY(tapped, TappedModel::prepare(a, asked.values, feeds, job));
        const auto& groups = tapped.groups();
        if (groups.size() == 1 && groups.front().bytes <= kMostBytes) {
            DUO_TRY(session, tapped.open(groups.front(), job));
            DUO_TRY(values, fetched(*session, asked.values, feeds, job));
            asked.ofA = std::move(values);
            return std::optional(std::move(asked));
        }
        if (count < 2 * kLeastNodes)
            return std::optional<Asked>();
    }
}

Result<Tensors> valuesOf(
    const Model& model, const std::vector<std::string>& names, std::span<const HostTensor> feeds, const JobContext& job)
{
    DUO_TRY(session, openModel(model, names, job));
    return fetched(session, names, feeds, job);
}

/// The float model, whose nodes can be given the inputs that either model has.
class Fed
{
public:
    static Result<Fed> open(const Model& a, const Parts& parts, const JobContext& job)
    {
        EditList edits;
        for (std::size_t i = 0; i < parts.edges().size(); ++i) {
            const Edge& edge = parts.edges()[i];
            const std::string name = std::string(kSwapDomain) + "." + std::to_string(i);
            edits.newNodes.push_back(
                swapNode(static_cast<std::int64_t>(i), name, a.value(edge.value).name, name, edge.node, false));
            edits.inputs.push_back({edge.node, edge.port, name});
        }
        std::set<std::string> outputs;
        for (const Part& part : parts.parts()) {
            const Value& output = a.value(a.node(part.node).outputs.front());
            if (!output.isOutput)
                outputs.insert(output.name);
        }
        edits.extraOutputs.assign(outputs.begin(), outputs.end());
        edits.nodeNames = nodeNameEdits(a);
        DUO_TRY(session, openSwappingModel(a, std::move(edits), job));
        return Fed(std::move(session));
    }

    /// @param give the tensor an edge reads
    [[nodiscard]] Result<Tensors> run(std::span<const HostTensor> feeds,
        const std::function<const HostTensor&(std::size_t edge)>& give, const JobContext& job) const
    {
        const auto swap = [&](std::size_t edge, const TensorView&, std::span<float> out) {
            const HostTensor& tensor = give(edge);
            if (tensor.bytes.size() != out.size_bytes())
                return false;
            std::memcpy(out.data(), tensor.bytes.data(), out.size_bytes());
            return true;
        };
        DUO_TRY(values, m_session.runSwapping(feeds, swap, job));
        Tensors tensors;
        for (HostTensor& value : values)
            tensors.emplace(value.name, std::move(value));
        return tensors;
    }

private:
    explicit Fed(Session session)
        : m_session(std::move(session))
    {
    }
    Session m_session;
};

/// Edges that one run can give the quantized model's values: all others have the float model's, so that a part sees no
/// more of them than its own, one at most. @return [edges] the run
std::vector<std::size_t> runOfEdge(const Parts& parts)
{
    std::vector<std::vector<std::size_t>> partsOf(parts.edges().size());
    for (std::size_t i = 0; i < parts.parts().size(); ++i) {
        for (const std::size_t edge : parts.parts()[i].edges)
            partsOf[edge].push_back(i);
    }
    std::vector<std::set<std::size_t>> taken(parts.parts().size()); // runs in which it sees one
    std::vector<std::size_t> runs(parts.edges().size());
    for (std::size_t edge = 0; edge < runs.size(); ++edge) {
        const auto isTaken = [&](std::size_t run) {
            return std::ranges::any_of(partsOf[edge], [&](std::size_t part) { return taken[part].contains(run); });
        };
        while (isTaken(runs[edge]))
            ++runs[edge];
        for (const std::size_t part : partsOf[edge])
            taken[part].insert(runs[edge]);
    }
    return runs;
}

} // namespace

Result<std::vector<OwnError>> measureOwnErrors(const Model& a, const Model& b, std::span<const NodeId> nodes,
    std::span<const HostTensor> feeds, const JobContext& job)
{
    DUO_TRY(asked, askedOf(a, b, nodes, feeds, job));
    if (!asked)
        return std::vector<OwnError>{};
    const Parts& parts = asked->parts;
    const Tensors& ofA = asked->ofA;
    DUO_TRY(ofB, valuesOf(b, asked->values, feeds, job));
    DUO_TRY(fed, Fed::open(a, parts, job));
    const auto edgeOf = [&](const Tensors& tensors, std::size_t edge) -> const HostTensor& {
        return tensors.at(a.value(parts.edges()[edge].value).name);
    };
    const auto outputOf = [&](const Tensors& tensors, const Part& part) -> const HostTensor& {
        return tensors.at(a.value(a.node(part.node).outputs.front()).name);
    };
    std::vector<OwnError> errors;
    {
        DUO_TRY(inherited,
            fed.run(
                feeds, [&](std::size_t edge) -> const HostTensor& { return edgeOf(ofB, edge); }, job));
        for (const Part& part : parts.parts())
            errors.push_back({part.node, noiseBetween(outputOf(ofA, part), outputOf(ofB, part)),
                noiseBetween(outputOf(inherited, part), outputOf(ofB, part)), {}});
    }
    const std::vector<std::size_t> runs = runOfEdge(parts);
    const std::size_t count = runs.empty() ? 0 : *std::ranges::max_element(runs) + 1;
    for (std::size_t run = 0; run < count; ++run) {
        const auto give
            = [&](std::size_t edge) -> const HostTensor& { return edgeOf(runs[edge] == run ? ofB : ofA, edge); };
        DUO_TRY(alone, fed.run(feeds, give, job));
        for (std::size_t i = 0; i < errors.size(); ++i) {
            const Part& part = parts.parts()[i];
            const auto edge = std::ranges::find(part.edges, run, [&](std::size_t one) { return runs[one]; });
            if (edge != part.edges.end())
                errors[i].inputs.push_back(
                    {parts.edges()[*edge].value, noiseBetween(outputOf(ofA, part), outputOf(alone, part))});
        }
    }
    return errors;
}

} // namespace duo
