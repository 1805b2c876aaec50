// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/ort_calibration.h"

#include "core/pipeline/calibration/measured_values.h"
#include "core/quantize/points/weights.h"
#include "core/quantize/profiles/clamps.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace duo {
namespace {

/// A value of the main graph that its quantizer may ask for: computed or given, and of floats, or of a type that the
/// file does not tell.
bool isAskedFor(const Value& value)
{
    return value.region == RegionId(0) && (value.producer.valid() || value.isInput)
        && (isFloating(value.type.element) || value.type.element == ElementType::Undefined);
}

/// Nothing of no elements, and where one is not finite.
std::optional<Range> rangeOfAll(const std::vector<float>& elements)
{
    if (elements.empty() || !std::ranges::all_of(elements, [](float element) { return std::isfinite(element); }))
        return std::nullopt;
    const auto [least, most] = std::ranges::minmax(elements);
    return Range{least, most};
}

/// Of a Constant node, or of a value that is computed of a constant alone, as its first reader sees it.
std::optional<Range> constantRange(const Model& model, ValueId id)
{
    if (const Tensor* tensor = model.constant(id))
        return isFloating(tensor->type) ? rangeOfAll(toFloats(*tensor)) : std::nullopt;
    const Value& value = model.value(id);
    if (value.uses.empty() || !weightSource(model, value.uses.front().node, value.uses.front().port).valid())
        return std::nullopt;
    const auto weight = readWeight(model, value.uses.front().node, value.uses.front().port);
    return weight ? rangeOfAll(weight->values) : std::nullopt;
}

} // namespace

EncodingsText ortCalibrationOf(const Model& model, const Statistics& statistics, EncodingForm form)
{
    const MeasuredValues measured(model, statistics);
    EncodingsText made;
    std::vector<TensorRange> ranges;
    for (std::size_t i = 0; i < model.values.size(); ++i) {
        const ValueId id(static_cast<std::uint32_t>(i));
        const Value& value = model.value(id);
        if (!isAskedFor(value))
            continue;
        const ValueStatistics* found = measured.of(id);
        if (found == nullptr)
            found = measured.of(behindClamps(model, id)); // what is cut off there needs no codes
        if (found != nullptr && found->min <= found->max)
            ranges.push_back({value.name, found->min, found->max});
        else if (const auto constant = constantRange(model, id))
            ranges.push_back({value.name, constant->min, constant->max});
        else if (isFloating(value.type.element))
            made.without.push_back(value.name);
    }
    made.tensors = ranges.size();
    made.text = rangesText(ranges, form);
    return made;
}

} // namespace duo
