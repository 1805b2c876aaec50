// SPDX-License-Identifier: Apache-2.0
#include "core/model/only_use.h"

namespace duo {

std::optional<Use> onlyUse(const Model& model, ValueId value)
{
    if (!value.valid() || model.value(value).isOutput || model.value(value).uses.size() != 1)
        return std::nullopt;
    return model.value(value).uses.front();
}

std::optional<Use> onlyUse(const Model& model, const Node& node)
{
    return node.outputs.empty() ? std::nullopt : onlyUse(model, node.outputs.front());
}

} // namespace duo
