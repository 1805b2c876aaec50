// SPDX-License-Identifier: Apache-2.0
#include "core/interchange/code_numbers.h"

#include "core/content/float_values.h"
#include "core/content/telling.h"
#include "core/content/wanted_values.h"
#include "core/model/code_operators.h"
#include "core/model/node_inputs.h"
#include "core/support/bytes_of.h"
#include "core/support/turned_matrix.h"

#include <cstddef>
#include <span>

namespace duo {
namespace {

/// Of a float type, and all there.
bool isScale(const Tensor* tensor)
{
    return tensor != nullptr && isConvertible(tensor->type) && hasAllBytes(*tensor);
}

/// A quantization without scales gets these.
bool scaleBy(WeightQuantization& quantization, const std::vector<float>& scales, const Tensor& codes, std::int64_t axis)
{
    if (scales.size() == 1) {
        quantization.scales.assign(quantization.scales.size(), scales.front());
        return true;
    }
    const auto rank = static_cast<std::int64_t>(codes.dims.size());
    axis += axis < 0 ? rank : 0;
    const bool fits = axis >= 0 && axis < rank
        && codes.dims[static_cast<std::size_t>(axis)] == static_cast<std::int64_t>(scales.size());
    if (!fits || (quantization.zeroPoints.size() != 1 && quantization.zeroPoints.size() != scales.size()))
        return false;
    if (quantization.zeroPoints.size() == 1) {
        quantization.zeroPoints.assign(scales.size(), quantization.zeroPoints.front());
        quantization.axisSize = static_cast<std::int64_t>(scales.size());
        quantization.inner = 1;
        for (auto i = static_cast<std::size_t>(axis) + 1; i < codes.dims.size(); ++i)
            quantization.inner *= codes.dims[i];
    }
    quantization.scales = scales;
    return true;
}

/// [N][blocks][bytes of a block] codes, [N][blocks] scales, and zero points of codes in rows of whole bytes, or floats.
struct PackedWeight {
    std::int64_t rows = 0; // N
    std::int64_t depth = 0; // K
    std::int64_t block = 0;
    int bits = 4;

    [[nodiscard]] std::int64_t blocks() const { return (depth + block - 1) / block; }
    [[nodiscard]] std::int64_t blockBytes() const { return block * bits / 8; }
    [[nodiscard]] std::int64_t zeroBytes() const { return (blocks() * bits + 7) / 8; } // of a row
};

std::optional<PackedWeight> packedWeight(const Node& node)
{
    constexpr std::int64_t kMost = std::int64_t{1} << 31U;
    constexpr std::int64_t kLargestBlock = 1 << 16;
    const PackedWeight weight{node.intAttribute("N", 0), node.intAttribute("K", 0), node.intAttribute("block_size", 0),
        static_cast<int>(node.intAttribute("bits", 4))};
    const bool fits = weight.rows > 0 && weight.rows < kMost && weight.depth > 0 && weight.depth < kMost
        && weight.block >= 16 && weight.block <= kLargestBlock;
    const bool isKnown = weight.bits == 2 || weight.bits == 4 || weight.bits == 8;
    return fits && isKnown ? std::optional(weight) : std::nullopt;
}

/// [N * blocks] zero points as numbers; empty where they do not fit.
std::vector<float> packedZeros(const PackedWeight& weight, const Tensor* zeros)
{
    const auto count = static_cast<std::size_t>(weight.rows * weight.blocks());
    if (zeros == nullptr)
        return std::vector<float>(count, static_cast<float>(1 << (weight.bits - 1)));
    if (isFloating(zeros->type))
        return zeros->elements() == static_cast<std::int64_t>(count) ? toFloats(*zeros) : std::vector<float>();
    if (zeros->type != ElementType::UInt8 || zeros->elements() != weight.rows * weight.zeroBytes())
        return {};
    std::vector<float> points(count);
    const auto blocks = static_cast<std::size_t>(weight.blocks());
    const auto rowBytes = static_cast<std::size_t>(weight.zeroBytes());
    for (std::size_t i = 0; i < count; ++i)
        points[i]
            = static_cast<float>(codeAt(zeros->bytes().data() + i / blocks * rowBytes, i % blocks, weight.bits, false));
    return points;
}

} // namespace

std::optional<Numbers> numbersAt(const Model& model, const Node& node, std::uint32_t port, const Tensor* weightScale)
{
    const Tensor* codes = constantAt(model, node, port);
    if (codes == nullptr || !hasAllBytes(*codes))
        return std::nullopt;
    auto quantization = quantizationAt(model, *codes, node, port);
    const auto facts = codeFactsAt(node, port);
    if (!quantization || !facts || quantization->isUnscaled != (weightScale != nullptr)
        || !isScale(facts->scale ? constantAt(model, node, *facts->scale) : weightScale))
        return std::nullopt;
    if (weightScale != nullptr && !scaleBy(*quantization, toFloats(*weightScale), *codes, facts->axis))
        return std::nullopt;
    Numbers numbers{codes->dims, std::vector<float>(static_cast<std::size_t>(codes->elements()))};
    readFloats(*codes, 0, numbers.values);
    quantization->forEach(0, numbers.values.size(), [&](std::size_t i, std::size_t s) {
        numbers.values[i] = (numbers.values[i] - quantization->zeroPoints[s]) * quantization->scales[s];
        return true;
    });
    return numbers;
}

std::optional<Numbers> tableNumbers(const Model& model, const Node& dequantizer, ValueId table)
{
    const Tensor* codes = model.constant(table);
    const Tensor* scale = constantAt(model, dequantizer, 1);
    const Tensor* zero = constantAt(model, dequantizer, 2);
    const bool isOne
        = scale != nullptr && scale->elements() == 1 && (zero != nullptr || !inputAt(dequantizer, 2).valid());
    if (codes == nullptr || !isOne || !isScale(scale) || isFloating(codes->type) || !hasAllBytes(*codes)
        || (zero != nullptr && toInts(*zero).size() != 1))
        return std::nullopt;
    Numbers numbers{codes->dims, std::vector<float>(static_cast<std::size_t>(codes->elements()))};
    readFloats(*codes, 0, numbers.values);
    const float step = toFloats(*scale).front();
    const float at = zero == nullptr ? 0 : static_cast<float>(toInts(*zero).front());
    for (float& number : numbers.values)
        number = (number - at) * step;
    return numbers;
}

std::optional<PackedBlocks> packedBlocks(const Model& model, const Node& node)
{
    constexpr std::uint32_t kOrder = 4;
    const auto weight = packedWeight(node);
    const Tensor* codes = constantAt(model, node, 1);
    const Tensor* scale = constantAt(model, node, 2);
    if (!weight || codes == nullptr || !isScale(scale) || inputAt(node, kOrder).valid() || !hasAllBytes(*codes))
        return std::nullopt;
    const auto blocks = static_cast<std::size_t>(weight->blocks());
    const auto blockBytes = static_cast<std::size_t>(weight->blockBytes());
    const auto rows = static_cast<std::size_t>(weight->rows);
    const std::vector<float> scales = toFloats(*scale);
    if (scales.size() != rows * blocks || codes->bytes().size() != rows * blocks * blockBytes)
        return std::nullopt; // sizes that attributes claim cost nothing until there are as many codes
    const std::vector<float> zeros = inputAt(node, 3).valid() && constantAt(model, node, 3) == nullptr
        ? std::vector<float>()
        : packedZeros(*weight, constantAt(model, node, 3));
    if (zeros.size() != scales.size())
        return std::nullopt;
    return PackedBlocks{{weight->blocks(), weight->rows}, turnedMatrix(scales, blocks), turnedMatrix(zeros, blocks)};
}

std::optional<Numbers> packedNumbers(const Model& model, const Node& node)
{
    const auto of = packedBlocks(model, node);
    if (!of)
        return std::nullopt;
    const PackedWeight weight = *packedWeight(node);
    const Tensor* codes = constantAt(model, node, 1);
    const auto blocks = static_cast<std::size_t>(weight.blocks());
    const auto rows = static_cast<std::size_t>(weight.rows);
    const auto depth = static_cast<std::size_t>(weight.depth);
    const auto block = static_cast<std::size_t>(weight.block);
    Numbers numbers{{weight.depth, weight.rows}, std::vector<float>(depth * rows)};
    for (std::size_t n = 0; n < rows; ++n) {
        for (std::size_t k = 0; k < depth; ++k) {
            const std::byte* start
                = codes->bytes().data() + (n * blocks + k / block) * static_cast<std::size_t>(weight.blockBytes());
            const std::size_t at = k / block * rows + n;
            const int code = codeAt(start, k % block, weight.bits, false);
            numbers.values[k * rows + n] = (static_cast<float>(code) - of->zeros[at]) * of->scales[at];
        }
    }
    return numbers;
}

std::optional<Numbers> lstmNumbers(const Model& model, const Node& node, const LstmWeight& weight)
{
    const Tensor* codes = constantAt(model, node, weight.codes);
    const Tensor* scale = constantAt(model, node, weight.scale);
    const Tensor* zero = constantAt(model, node, weight.zeroPoint);
    if (codes == nullptr || !isScale(scale) || zero == nullptr || codes->dims.size() != 3 || !hasAllBytes(*codes)
        || (codes->type != ElementType::Int8 && codes->type != ElementType::UInt8))
        return std::nullopt;
    const auto directions = static_cast<std::size_t>(codes->dims[0]);
    const auto in = static_cast<std::size_t>(codes->dims[1]);
    const auto gates = static_cast<std::size_t>(codes->dims[2]);
    const std::vector<float> scales = toFloats(*scale);
    const std::vector<std::int64_t> zeros = toInts(*zero);
    const bool isPerGate = scales.size() == directions * gates && gates > 1;
    if ((!isPerGate && scales.size() != directions) || zeros.size() != scales.size())
        return std::nullopt;
    std::vector<float> read(directions * in * gates);
    readFloats(*codes, 0, read);
    Numbers numbers{{codes->dims[0], codes->dims[2], codes->dims[1]}, std::vector<float>(read.size())};
    for (std::size_t i = 0; i < read.size(); ++i) {
        const std::size_t direction = i / (in * gates);
        const std::size_t gate = i % gates;
        const std::size_t s = isPerGate ? direction * gates + gate : direction;
        numbers.values[(direction * gates + gate) * in + i / gates % in]
            = (read[i] - static_cast<float>(zeros[s])) * scales[s];
    }
    return numbers;
}

} // namespace duo
