// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/edits/own_zero_points.h"

#include "core/transform/edit_names.h"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace duo {

void ownZeroPointsInPlace(EditList& edits, const Model& model)
{
    constexpr std::size_t kScale = 1;
    constexpr std::size_t kZeroPoint = 2; // ports of both operators
    EditNames names(model);
    std::unordered_map<std::string, std::size_t> tensors; // by name: those that were made
    for (std::size_t t = 0; t < edits.newTensors.size(); ++t) {
        names.value(edits.newTensors[t].name);
        tensors.emplace(edits.newTensors[t].name, t);
    }
    std::unordered_map<std::string, std::string> first; // by zero point: the scale that keeps it
    std::map<std::pair<std::string, std::string>, std::string> own; // by zero point and scale
    for (NewNode& node : edits.newNodes) {
        if ((node.opType != "QuantizeLinear" && node.opType != "DequantizeLinear") || node.inputs.size() <= kZeroPoint)
            continue;
        std::string& zeroPoint = node.inputs[kZeroPoint];
        const std::string& scale = node.inputs[kScale];
        const auto made = tensors.find(zeroPoint);
        if (made == tensors.end() || first.try_emplace(zeroPoint, scale).first->second == scale)
            continue;
        const auto [known, isNew] = own.try_emplace({zeroPoint, scale});
        if (isNew) {
            known->second = names.value(zeroPoint);
            NewTensor copy = edits.newTensors[made->second];
            copy.name = known->second;
            edits.newTensors.push_back(std::move(copy));
        }
        zeroPoint = known->second;
    }
}

} // namespace duo
