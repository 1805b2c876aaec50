// SPDX-License-Identifier: Apache-2.0
#include "core/engine/find_value_types.h"

#include "core/engine/open_model.h"
#include "core/transform/known_ranks.h"

#include <algorithm>

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

} // namespace

Result<ValueTypes> findValueTypes(const Model& model, const JobContext& job)
{
    ValueTypes found;
    found.types.reserve(model.values.size());
    bool isAsked = false;
    for (const Value& value : model.values) {
        found.types.push_back(value.type);
        isAsked = isAsked || (isAskable(value) && !isWhole(value.type));
    }
    if (!isAsked || !model.format->canRun())
        return found;
    const auto session = openForTypes(model, job);
    if (job.stopped())
        return cancelledError();
    if (!session) {
        found.problem = session.error();
        return found;
    }
    const KnownRanks ranks(model);
    for (const PortInfo& port : session->outputs()) {
        const ValueId value = model.findValue(port.name);
        if (value.valid() && isAskable(model.value(value)))
            completeInPlace(found.types[value.index], port, ranks.of(value) == 0);
    }
    return found;
}

} // namespace duo
