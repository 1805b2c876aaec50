// SPDX-License-Identifier: Apache-2.0
#include "core/content/wanted_values.h"

#include "core/content/telling.h"
#include "core/model/code_operators.h"
#include "core/model/code_range.h"
#include "core/model/node_inputs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <tuple>

namespace duo {
namespace {

/// Of the constant there; empty where it is none, or lacks bytes.
std::vector<float> floatsAt(const Model& model, const Node& node, std::optional<std::uint32_t> port)
{
    const Tensor* tensor = constantAt(model, node, port);
    if (tensor == nullptr || !hasAllBytes(*tensor))
        return {};
    std::vector<float> values(static_cast<std::size_t>(tensor->elements()));
    readFloats(*tensor, 0, values);
    return values;
}

/// The least and the largest code; nothing is clipped to the ends of 32 bits.
std::pair<float, float> limitsOf(ElementType type)
{
    const auto codes = codeRange(type);
    if (!codes)
        return {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
    return {static_cast<float>(codes->lowest), static_cast<float>(codes->highest)};
}

} // namespace

std::optional<WeightQuantization> quantizationAt(
    const Model& model, const Tensor& codes, const Node& node, std::uint32_t port)
{
    const auto known = codeFactsAt(node, port);
    if (!known || isFloating(codes.type))
        return std::nullopt;
    WeightQuantization result;
    result.zeroPoints = floatsAt(model, node, known->zeroPoint);
    result.isUnscaled = !known->scale;
    result.scales = known->scale ? floatsAt(model, node, known->scale)
                                 : std::vector<float>(std::max<std::size_t>(result.zeroPoints.size(), 1), 1);
    if (known->otherScale) {
        const auto other = floatsAt(model, node, known->otherScale);
        if (other.size() != 1)
            return std::nullopt;
        for (float& scale : result.scales)
            scale *= other.front();
    }
    if (result.scales.empty())
        return std::nullopt;
    if (result.zeroPoints.empty())
        result.zeroPoints.assign(result.scales.size(), 0);
    if (result.zeroPoints.size() != result.scales.size())
        return std::nullopt;
    if (result.scales.size() == 1)
        return result;
    const auto rank = static_cast<std::int64_t>(codes.dims.size());
    std::int64_t axis = node.intAttribute("axis", known->axis);
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank || codes.elements() == 0)
        return std::nullopt;
    result.axis = static_cast<std::size_t>(axis);
    const std::int64_t size = codes.dims[*result.axis];
    for (std::size_t i = *result.axis + 1; i < codes.dims.size(); ++i)
        result.inner *= codes.dims[i];
    std::int64_t outer = 1;
    for (std::size_t i = 0; i < *result.axis; ++i)
        outer *= codes.dims[i];
    result.block = std::max<std::int64_t>(node.intAttribute("block_size", 0), 1);
    result.axisSize = size;
    result.blocks = size / result.block + (size % result.block != 0 ? 1 : 0);
    const std::int64_t expected = result.block == 1 ? size : outer * result.blocks * result.inner;
    if (static_cast<std::int64_t>(result.scales.size()) != expected)
        return std::nullopt;
    return result;
}

std::optional<WeightQuantization> quantizationOf(const Model& model, const ReadTensor& read)
{
    const Tensor& tensor = model.tensor(read.tensor);
    if (isFloating(tensor.type))
        return std::nullopt;
    if (read.dequantizer.valid())
        return quantizationAt(model, tensor, model.node(read.dequantizer), 0);
    for (const TensorUse& use : read.uses) {
        if (codeFactsAt(model.node(use.reader), use.port))
            return quantizationAt(model, tensor, model.node(use.reader), use.port);
    }
    return std::nullopt;
}

WantedValues::WantedValues(const Tensor& tensor, std::optional<WeightQuantization> quantization)
    : m_tensor(tensor)
    , m_quantization(std::move(quantization))
{
    if (!m_quantization) {
        m_floats.emplace(tensor);
        // Four units in the last place of float32; half a unit of the 16-bit types, and what converters clip to.
        m_relative = tensor.type == ElementType::Float16 ? 0x1p-11F
            : tensor.type == ElementType::BFloat16       ? 0x1p-8F
                                                         : 5e-7F;
        m_absolute = tensor.type == ElementType::Float16 ? 1.1e-7F : 1e-38F;
        return;
    }
    const auto count = static_cast<std::size_t>(tensor.elements());
    m_dequantized.resize(count);
    m_clipped.resize(count);
    readFloats(tensor, 0, m_dequantized);
    const std::pair<float, float> limits = limitsOf(tensor.type);
    m_quantization->forEach(0, count, [&](std::size_t i, std::size_t s) {
        const float code = m_dequantized[i];
        m_clipped[i] = code <= limits.first + 1 || code >= limits.second; // narrow ranges end one code earlier
        m_dequantized[i] = (code - m_quantization->zeroPoints[s]) * m_quantization->scales[s];
        return true;
    });
}

bool WantedValues::isFine() const
{
    constexpr std::size_t kFewest = 256;
    return m_quantization && elementBits(m_tensor.type) >= 8 && all().size() >= kFewest;
}

bool WantedValues::areTelling() const
{
    constexpr std::size_t kMostLooked = 512;
    constexpr std::size_t kFewestDistinct = 6;
    const auto values = all();
    std::set<float> distinct;
    const std::size_t step = (values.size() / kMostLooked) | 1U; // odd: not in step with the axes
    for (std::size_t i = 0; i < values.size() && distinct.size() < kFewestDistinct; i += step) {
        if (std::isfinite(values[i]))
            distinct.insert(values[i]);
    }
    return distinct.size() >= kFewestDistinct && values.size() >= static_cast<std::size_t>(kFewestTelling);
}

bool WantedValues::mayBeFloats(std::size_t first, std::span<const float> values, double steps) const
{
    const auto own = all().subspan(first, values.size());
    const auto relative = static_cast<float>(2 * steps * m_relative);
    bool all = true;
    for (std::size_t i = 0; i < values.size(); ++i)
        all &= std::abs(own[i] - values[i]) <= relative * std::abs(own[i]) + m_absolute;
    return all;
}

bool WantedValues::mayBe(std::size_t first, std::span<const float> values, double steps) const
{
    if (!m_quantization)
        return mayBeFloats(first, values, steps);
    return m_quantization->forEach(first, values.size(), [&](std::size_t i, std::size_t s) {
        const float own = m_dequantized[i];
        const float value = values[i - first];
        const float step = std::abs(m_quantization->scales[s]);
        if (std::abs(own - value) <= static_cast<float>(steps) * step + 1e-6F * std::abs(own))
            return true;
        return m_clipped[i] && std::abs(value) >= std::abs(own) && (value < 0) == (own < 0);
    });
}

double WantedValues::tolerance(std::size_t i) const
{
    if (m_quantization)
        return 0.501 * std::abs(static_cast<double>(m_quantization->scales[m_quantization->at(i)]));
    return static_cast<double>(m_relative) * std::abs(static_cast<double>(all()[i])) + m_absolute;
}

double WantedValues::factorTolerance() const
{
    if (m_quantization)
        return elementBits(m_tensor.type) <= 4 ? 0.25 : 0.03;
    return std::max(4.0 * m_relative, 3e-6);
}

} // namespace duo
