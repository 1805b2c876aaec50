// SPDX-License-Identifier: Apache-2.0
#include "core/scope/content/scaled/wanted_values.h"

#include "core/scope/content/values/telling.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace duo {
namespace {

struct QuantizedPorts {
    std::size_t scale = 0;
    std::size_t zeroPoint = 0;
};

/// Where a reader of integers says what they stand for.
std::optional<QuantizedPorts> portsOf(const Node& node, std::uint32_t port)
{
    if (node.opType == "DequantizeLinear" && port == 0)
        return QuantizedPorts{1, 2};
    const bool isQuantizedProduct
        = node.opType == "QLinearConv" || node.opType == "QLinearMatMul" || node.opType == "QGemm";
    if (isQuantizedProduct && port == 3)
        return QuantizedPorts{4, 5};
    return std::nullopt;
}

std::vector<float> constantAt(const Model& model, const Node& node, std::size_t port)
{
    if (port >= node.inputs.size() || !node.inputs[port].valid())
        return {};
    const Tensor* tensor = model.constant(node.inputs[port]);
    if (tensor == nullptr || !hasAllBytes(*tensor))
        return {};
    std::vector<float> values(static_cast<std::size_t>(tensor->elements()));
    readFloats(*tensor, 0, values);
    return values;
}

std::optional<WeightQuantization> quantizationAt(
    const Model& model, const Tensor& tensor, const Node& node, const QuantizedPorts& ports)
{
    WeightQuantization result;
    result.scales = constantAt(model, node, ports.scale);
    result.zeroPoints = constantAt(model, node, ports.zeroPoint);
    if (result.scales.empty())
        return std::nullopt;
    if (result.zeroPoints.empty())
        result.zeroPoints.assign(result.scales.size(), 0);
    if (result.zeroPoints.size() != result.scales.size())
        return std::nullopt;
    if (result.scales.size() == 1)
        return result;
    const auto rank = static_cast<std::int64_t>(tensor.dims.size());
    std::int64_t axis = node.intAttribute("axis", node.opType == "QLinearConv" ? 0 : 1);
    axis += axis < 0 ? rank : 0;
    if (node.opType == "QLinearMatMul" || node.opType == "QGemm")
        axis = rank - 1;
    if (axis < 0 || axis >= rank)
        return std::nullopt;
    const std::int64_t size = tensor.dims[static_cast<std::size_t>(axis)];
    for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < tensor.dims.size(); ++i)
        result.inner *= tensor.dims[i];
    result.block = std::max<std::int64_t>(node.intAttribute("block_size", 0), 1);
    if (size % result.block != 0)
        return std::nullopt;
    result.axisSize = size;
    const std::int64_t expected = result.block == 1 ? size : tensor.elements() / result.block;
    if (static_cast<std::int64_t>(result.scales.size()) != expected)
        return std::nullopt;
    return result;
}

std::pair<float, float> limitsOf(ElementType type)
{
    const int bits = elementBits(type);
    const bool isSigned = type == ElementType::Int4 || type == ElementType::Int8 || type == ElementType::Int16;
    const float span = std::ldexp(1.F, bits);
    return isSigned ? std::pair(-span / 2, span / 2 - 1) : std::pair(0.F, span - 1);
}

} // namespace

std::optional<WeightQuantization> quantizationOf(const Model& model, const ReadTensor& read)
{
    const Tensor& tensor = model.tensor(read.tensor);
    if (isFloating(tensor.type))
        return std::nullopt;
    if (read.dequantizer.valid())
        return quantizationAt(model, tensor, model.node(read.dequantizer), {1, 2});
    for (const TensorUse& use : read.uses) {
        const Node& node = model.node(use.reader);
        if (const auto ports = portsOf(node, use.port))
            return quantizationAt(model, tensor, node, *ports);
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
    m_dequantized.resize(static_cast<std::size_t>(tensor.elements()));
    readFloats(tensor, 0, m_dequantized);
    std::tie(m_least, m_most) = limitsOf(tensor.type);
    for (std::size_t i = 0; i < m_dequantized.size(); ++i) {
        const std::size_t s = m_quantization->at(i);
        m_dequantized[i] = (m_dequantized[i] - m_quantization->zeroPoints[s]) * m_quantization->scales[s];
    }
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

bool WantedValues::mayBeFloats(std::size_t first, std::span<const float> values) const
{
    const auto own = all().subspan(first, values.size());
    bool all = true;
    for (std::size_t i = 0; i < values.size(); ++i)
        all &= std::abs(own[i] - values[i]) <= m_relative * std::abs(own[i]) + m_absolute;
    return all;
}

bool WantedValues::mayBe(std::size_t first, std::span<const float> values, double steps) const
{
    if (!m_quantization)
        return mayBeFloats(first, values);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double own = m_dequantized[first + i];
        const double distance = std::abs(own - static_cast<double>(values[i]));
        const double scale = m_quantization->scales[m_quantization->at(first + i)];
        if (distance <= steps * std::abs(scale) + 1e-6 * std::abs(own))
            continue;
        if (!mayBeClipped(first + i) || std::abs(values[i]) < std::abs(own) || (values[i] < 0) != (own < 0))
            return false;
    }
    return true;
}

bool WantedValues::mayBeClipped(std::size_t i) const
{
    if (!m_quantization)
        return false;
    const std::size_t s = m_quantization->at(i);
    const float code = m_dequantized[i] / m_quantization->scales[s] + m_quantization->zeroPoints[s];
    return code <= m_least + 1.5F || code >= m_most - 0.5F; // narrow ranges end one code earlier
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
