// SPDX-License-Identifier: Apache-2.0
// Files below IR version 4 list every initializer as an input, on purpose or not: from then on only those are listed
// for which a caller may give another value.
#include "core/model/constant_conditions.h"
#include "core/transform/common_passes.h"
#include "core/transform/raise_opset.h"

#include <algorithm>

namespace duo {
namespace {

bool readsAny(const Model& model, const Node& node, bool (*isWanted)(const Model&, const Value&))
{
    return std::ranges::any_of(
        node.inputs, [&](ValueId value) { return value.valid() && isWanted(model, model.value(value)); });
}

bool isInitializer(const Model& /*model*/, const Value& value)
{
    return value.region == RegionId(0) && value.initializer.valid();
}

bool isListedOnPurpose(const Model& model, const Value& value)
{
    return value.region == RegionId(0) && isOverridable(model, value);
}

} // namespace

PassResult freeInitializers(const PassScene& scene)
{
    const Model& model = scene.model;
    const bool areAllListed = model.irVersion < kInitializersNeedNoInput;
    PassResult result;
    for (const NodeId id : model.order) {
        const Node& node = model.node(id);
        if (!scene.mayChange(id) || model.isInFunction(node))
            continue;
        if (!readsAny(model, node, areAllListed ? isInitializer : isListedOnPurpose))
            continue;
        if (areAllListed)
            result.applied.push_back(id);
        else
            result.skipped.push_back({id,
                "it reads a constant that is an input as well: since IR version 4 a caller may give another value "
                "there"});
    }
    if (result.applied.empty())
        return result;
    result.edits.emplace().irVersion = kInitializersNeedNoInput;
    if (model.opsets.empty())
        result.edits->opsets.emplace_back("", writtenOpset(model));
    return result;
}

} // namespace duo
