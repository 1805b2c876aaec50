// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/value_readers.h"

#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"

#include <algorithm>
#include <unordered_set>

namespace duo {
namespace {

/// Size of the axis that a Gather reads, where the shape of its table is known.
std::optional<std::int64_t> axisSize(const Model& model, const Node& gather)
{
    const ValueId table = gather.inputs.empty() ? ValueId() : gather.inputs[0];
    if (!table.valid())
        return std::nullopt;
    std::vector<Dim> shape = model.value(table).type.shape.value_or(std::vector<Dim>{});
    if (const Tensor* constant = model.constant(behindIdentities(model, table))) {
        shape.clear();
        for (const std::int64_t dim : constant->dims)
            shape.push_back({dim, {}});
    }
    const auto rank = static_cast<std::int64_t>(shape.size());
    std::int64_t axis = gather.intAttribute("axis", 0);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
        return std::nullopt;
    return shape[static_cast<std::size_t>(axis)].size;
}

} // namespace

std::vector<Use> readersBehindMoves(const Model& model, ValueId value)
{
    std::vector<Use> readers;
    std::vector<ValueId> open{value};
    std::unordered_set<ValueId> seen{value};
    while (!open.empty()) {
        const ValueId current = open.back();
        open.pop_back();
        for (const Use& use : model.value(current).uses) {
            const Node& node = model.node(use.node);
            readers.push_back(use);
            if (!movesElements(node, use.port))
                continue;
            for (const ValueId output : node.outputs) {
                if (output.valid() && seen.insert(output).second)
                    open.push_back(output);
            }
        }
    }
    return readers;
}

std::optional<std::int64_t> gatherLimit(const Model& model, ValueId value)
{
    std::optional<std::int64_t> limit;
    for (const Use& use : readersBehindMoves(model, value)) {
        const Node& node = model.node(use.node);
        const bool isLookUp = use.port == 1 && node.opType.starts_with("Gather") && node.opType != "GatherND";
        if (const auto size = isLookUp ? axisSize(model, node) : std::nullopt)
            limit = std::min(limit.value_or(*size), *size);
    }
    return limit;
}

std::vector<std::int64_t> comparedConstants(const Model& model, ValueId value)
{
    std::vector<std::int64_t> constants;
    for (const Use& use : readersBehindMoves(model, value)) {
        const Node& node = model.node(use.node);
        if (node.opType != "Equal" || node.inputs.size() != 2)
            continue;
        const ValueId other = node.inputs[1 - use.port];
        const Tensor* constant = other.valid() ? model.constant(other) : nullptr;
        if (constant != nullptr && constant->elements() == 1) {
            const auto numbers = toInts(*constant);
            constants.insert(constants.end(), numbers.begin(), numbers.end());
        }
    }
    std::ranges::sort(constants);
    const auto repeated = std::ranges::unique(constants);
    constants.erase(repeated.begin(), repeated.end());
    return constants;
}

} // namespace duo
