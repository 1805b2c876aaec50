// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_defects.h"

#include <algorithm>
#include <optional>

namespace duo {
namespace {

/// How many inputs the node has for its body; nothing where this is no loop.
std::optional<std::size_t> inputsGiven(const Node& owner)
{
    constexpr std::size_t kOfEveryLoop = 2; // iteration and condition, which may be omitted
    if (!owner.domain.empty() || owner.isCall)
        return std::nullopt;
    if (owner.opType == "Loop")
        return std::max(kOfEveryLoop, owner.inputs.size());
    return owner.opType == "Scan" ? std::optional(owner.inputs.size()) : std::nullopt;
}

} // namespace

Status checkEngineDefects(const Model& model)
{
    for (const Region& region : model.regions) {
        if (!region.owner.valid())
            continue;
        const Node& owner = model.node(region.owner);
        const auto given = inputsGiven(owner);
        if (given && region.inputs.size() < *given)
            return Error{ErrorCode::EngineFailed,
                owner.opType + " gives its body " + std::to_string(*given) + " values and the body takes "
                    + std::to_string(region.inputs.size()) + ", on which ONNX Runtime would end this program",
                "node '" + owner.name + "'",
                "export the model again: an input of a body must not be an initializer too"};
    }
    return success();
}

} // namespace duo
