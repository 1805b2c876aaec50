// SPDX-License-Identifier: Apache-2.0
#include "core/engine/find_value_types.h"

#include "core/engine/open_model.h"
#include "core/transform/known_ranks.h"
#include "core/transform/known_shapes.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <span>

namespace duo {
namespace {

bool isAskable(const Value& value)
{
    return value.producer.valid() && value.region == RegionId(0);
}

bool isOpen(const Dim& dim)
{
    return !dim.size && dim.symbol.empty();
}

/// A rank, and every dimension a size or a name.
bool isWhole(const ValueType& type)
{
    return type.element != ElementType::Undefined && type.shape && std::ranges::none_of(*type.shape, isOpen);
}

/// What the file says counts; the engine fills what it leaves open.
/// @param isScalar the engine gives no dimensions also where it does not know the rank
void completeInPlace(ValueType& type, const PortInfo& port, bool isScalar)
{
    if (type.element == ElementType::Undefined)
        type.element = port.type;
    const auto dim = [&](std::size_t axis) {
        return port.dims[axis] >= 0 ? Dim{port.dims[axis], {}} : Dim{{}, port.symbols[axis]};
    };
    if (!type.shape && (!port.dims.empty() || isScalar)) {
        type.shape.emplace();
        for (std::size_t axis = 0; axis < port.dims.size(); ++axis)
            type.shape->push_back(dim(axis));
    } else if (type.shape && type.shape->size() == port.dims.size()) {
        for (std::size_t axis = 0; axis < port.dims.size(); ++axis) {
            if (isOpen((*type.shape)[axis]))
                (*type.shape)[axis] = dim(axis);
        }
    }
}

ValueTypes typesInFile(const Model& model)
{
    ValueTypes types;
    types.types.reserve(model.values.size());
    for (const Value& value : model.values)
        types.types.push_back(value.type);
    return types;
}

void takeOverInPlace(ValueTypes& types, const Model& model, const Session& session, const KnownRanks& ranks)
{
    for (const PortInfo& port : session.outputs()) {
        const ValueId value = model.findValue(port.name);
        if (value.valid() && isAskable(model.value(value)))
            completeInPlace(types.types[value.index], port, ranks.of(value) == 0);
    }
}

/// What stands for a size in names of the file: one that equals a named dimension of it has its name.
class NamedSizes
{
public:
    NamedSizes(const Model& model, const KnownShapes& known)
    {
        for (std::size_t i = 0; i < model.values.size(); ++i) {
            const Extents* extents = known.of(ValueId(i));
            const auto& shape = model.values[i].type.shape;
            if (model.values[i].region != RegionId(0) || extents == nullptr || !shape
                || shape->size() != extents->size())
                continue;
            for (std::size_t axis = 0; axis < shape->size(); ++axis) {
                if (!(*extents)[axis].isKnown() && !(*shape)[axis].symbol.empty())
                    m_symbols.try_emplace((*extents)[axis], (*shape)[axis].symbol);
            }
        }
    }

    [[nodiscard]] Dim dimOf(const Extent& extent) const
    {
        if (extent.isKnown())
            return extent.number >= 0 ? Dim{extent.number, {}} : Dim();
        const auto symbol = m_symbols.find(extent);
        return Dim{{}, symbol == m_symbols.end() ? std::string() : symbol->second};
    }

private:
    std::map<Extent, std::string> m_symbols;
};

/// The engine tells nothing of values in bodies and calls, and loses the names of sizes that pass through tensors:
/// what file and engine leave open of `values` is what follows from what the operators do. O(nodes), if any is open.
void completeByOperatorsInPlace(ValueTypes& types, const Model& model, std::span<const ValueId> values)
{
    const auto isLeftOpen = [&](ValueId value) {
        const auto& shape = types.of(value).shape;
        return !shape || std::ranges::any_of(*shape, isOpen);
    };
    if (std::ranges::none_of(values, isLeftOpen))
        return;
    const ValueTypes inFile = typesInFile(model); // whatever was asked of the engine before
    const KnownShapes known(model, &inFile);
    const NamedSizes sizes(model, known);
    for (const ValueId value : values) {
        const Extents* extents = isLeftOpen(value) ? known.of(value) : nullptr;
        auto& shape = types.types[value.index].shape;
        if (extents == nullptr || (shape && shape->size() != extents->size()))
            continue;
        if (!shape)
            shape.emplace(extents->size());
        for (std::size_t axis = 0; axis < extents->size(); ++axis) {
            if (isOpen((*shape)[axis]))
                (*shape)[axis] = sizes.dimOf((*extents)[axis]);
        }
    }
}

/// What a node reads and gives, without what it leaves out.
std::vector<ValueId> valuesAt(const Node& node)
{
    std::vector<ValueId> values;
    const auto isThere = [](ValueId value) { return value.valid(); };
    std::ranges::copy_if(node.inputs, std::back_inserter(values), isThere);
    std::ranges::copy_if(node.outputs, std::back_inserter(values), isThere);
    return values;
}

/// What values come from, piece by piece.
class PieceTypes
{
public:
    PieceTypes(const Model& model, const JobContext& job)
        : m_model(model)
        , m_job(job)
        , m_mainNodes(model)
        , m_ranks(model)
        , m_types(typesInFile(model))
        , m_isWanted(model.nodes.size())
    {
    }

    /// @return whether the engine could be asked; Cancelled
    Result<bool> find(NodeId node)
    {
        collect(node);
        const std::vector<NodeId> wanted = inOrder();
        const auto cuts = cutsOf(wanted);
        for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
            const auto piece = std::span(wanted).subspan(cuts[i], cuts[i + 1] - cuts[i]);
            const auto session = openForTypes(m_model, m_mainNodes, piece, m_types.types, m_job);
            if (m_job.stopped())
                return cancelledError();
            if (!session)
                return false;
            takeOverInPlace(m_types, m_model, *session, m_ranks);
        }
        return true;
    }

    /// With what the operators at the node tell of its own values.
    ValueTypes take(NodeId node)
    {
        completeByOperatorsInPlace(m_types, m_model, valuesAt(m_model.node(node)));
        return std::move(m_types);
    }

private:
    static constexpr std::size_t kMostNodes = 1000; // of a piece, with those in bodies and calls

    /// Marks the nodes that open types of the values at the node come from.
    void collect(NodeId node)
    {
        std::vector<ValueId> open = valuesAt(m_model.node(node));
        while (!open.empty()) {
            const ValueId id = open.back();
            open.pop_back();
            if (!id.valid() || !isAskable(m_model.value(id)) || isWhole(m_model.value(id).type))
                continue;
            const NodeId producer = m_mainNodes.around(m_model.value(id).producer);
            if (m_isWanted[producer.index])
                continue;
            m_isWanted[producer.index] = true;
            const auto reads = m_mainNodes.reads(producer);
            open.insert(open.end(), reads.begin(), reads.end());
        }
    }

    [[nodiscard]] std::vector<NodeId> inOrder() const
    {
        std::vector<NodeId> nodes;
        std::ranges::copy_if(m_model.order, std::back_inserter(nodes), [&](NodeId id) { return m_isWanted[id.index]; });
        return nodes;
    }

    /// Where pieces begin, and the end. The last one is whole: sizes follow from what is near.
    [[nodiscard]] std::vector<std::size_t> cutsOf(std::span<const NodeId> nodes) const
    {
        std::vector<std::size_t> cuts{nodes.size()};
        std::size_t size = 0;
        for (std::size_t i = nodes.size(); i-- > 0;) {
            const std::size_t added = m_mainNodes.within(nodes[i]).size();
            if (size > 0 && size + added > kMostNodes) {
                cuts.push_back(i + 1);
                size = 0;
            }
            size += added;
        }
        if (!nodes.empty())
            cuts.push_back(0);
        std::ranges::reverse(cuts);
        return cuts;
    }

    const Model& m_model;
    const JobContext& m_job;
    MainNodes m_mainNodes;
    KnownRanks m_ranks;
    ValueTypes m_types;
    std::vector<bool> m_isWanted; // [nodes]
};

} // namespace

Result<ValueTypes> findValueTypes(const Model& model, const JobContext& job)
{
    ValueTypes found = typesInFile(model);
    if (!model.format->canRun())
        return found;
    const auto isOpenValue = [](const Value& value) { return isAskable(value) && !isWhole(value.type); };
    if (std::ranges::any_of(model.values, isOpenValue)) {
        const auto session = openForTypes(model, job);
        if (job.stopped())
            return cancelledError();
        if (session)
            takeOverInPlace(found, model, *session, KnownRanks(model));
        else
            found.problem = session.error();
    }
    std::vector<ValueId> all;
    for (std::size_t i = 0; i < model.values.size(); ++i)
        all.emplace_back(i);
    completeByOperatorsInPlace(found, model, all);
    return found;
}

Result<ValueTypes> findTypesAt(const Model& model, NodeId node, const JobContext& job)
{
    if (!model.format->canRun())
        return typesInFile(model);
    PieceTypes pieces(model, job);
    DUO_TRY(isFound, pieces.find(node));
    return isFound ? pieces.take(node) : findValueTypes(model, job);
}

} // namespace duo
