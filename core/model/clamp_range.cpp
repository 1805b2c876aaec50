// SPDX-License-Identifier: Apache-2.0
#include "core/model/clamp_range.h"

#include "core/model/tensor.h"

#include <algorithm>

namespace duo {
namespace {

float boundOf(const Model& model, const Node& clip, std::size_t port, std::string_view attribute, float none)
{
    if (port < clip.inputs.size() && clip.inputs[port].valid()) {
        const Tensor* bound = model.constant(clip.inputs[port]);
        const auto values = bound != nullptr ? toFloats(*bound) : std::vector<float>();
        if (!values.empty())
            return values.front();
    }
    return clip.floatAttribute(attribute, none);
}

} // namespace

void ClampRange::narrow(const ClampRange& other)
{
    low = std::max(low, other.low);
    high = std::min(high, other.high);
}

ClampRange clampRange(const Model& model, const Node& clamp)
{
    const ClampRange none;
    if (clamp.opType == "Relu")
        return {0, none.high};
    return {boundOf(model, clamp, 1, "min", none.low), boundOf(model, clamp, 2, "max", none.high)};
}

} // namespace duo
