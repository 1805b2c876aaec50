// SPDX-License-Identifier: Apache-2.0
#include "core/transform/lower_opset.h"

#include "core/transform/older_form.h"

#include <algorithm>
#include <array>

namespace duo {
std::int64_t irVersionOf(std::int64_t opset)
{
    constexpr std::array<std::pair<std::int64_t, std::int64_t>, 7> kSince{
        {{15, 8}, {19, 9}, {21, 10}, {23, 11}, {24, 12}, {25, 13}, {28, 14}}};
    std::int64_t version = 7;
    for (const auto& [since, ir] : kSince)
        version = opset >= since ? ir : version;
    return version;
}

PassResult lowerOpset(const PassScene& scene)
{
    const Model& model = scene.model;
    const std::int64_t opset = std::max(scene.opset, kLeastLowered);
    if (scene.opset == 0 || model.opset() <= opset || model.irVersion < kInitializersNeedNoInput)
        return {};
    OlderForms forms(model);
    PassResult result;
    for (const NodeId id : model.order) {
        bool isChanged = false;
        if (auto why = writeOlder(forms, id, opset, isChanged))
            result.skipped.push_back({id, *std::move(why)});
        else if (isChanged)
            result.applied.push_back(id);
    }
    if (!result.skipped.empty()) {
        result.applied.clear();
        return result;
    }
    forms.edits.loweredOpset = opset;
    forms.edits.loweredIr = irVersionOf(opset);
    result.edits = std::move(forms.edits);
    return result;
}

} // namespace duo
