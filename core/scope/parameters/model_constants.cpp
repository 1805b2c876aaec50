// SPDX-License-Identifier: Apache-2.0
#include "core/scope/parameters/model_constants.h"

#include "core/scope/facts/scope_facts.h"

namespace duo {

std::vector<HeldTensor> modelConstants(const Model& model, const Scopes& scopes)
{
    if (scopes.facts == nullptr)
        return {};
    std::vector<bool> isListed = scopes.facts->parameters.isLearned;
    std::vector<HeldTensor> constants;
    for (const HeldTensor& held : heldTensors(model)) {
        if (isListed[held.tensor.index])
            continue;
        isListed[held.tensor.index] = true;
        constants.push_back(held);
    }
    return constants;
}

} // namespace duo
