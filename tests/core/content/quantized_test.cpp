// SPDX-License-Identifier: Apache-2.0
// Integer weights behind DequantizeLinear, back to the floats they stand for.
#include "tests/core/content/content_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace duo::test {
namespace {

constexpr std::int64_t kRows = 24;
constexpr std::int64_t kColumns = 40;

struct Grid {
    ElementType type = ElementType::Int8;
    std::vector<float> scales; // one, or one for each row
    int zeroPoint = 0;
    float least = -128;
    float most = 127;
};

template <typename T> Tensor tensorOf(ElementType type, std::vector<std::int64_t> dims, const std::vector<T>& values)
{
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    Tensor tensor;
    tensor.type = type;
    tensor.dims = std::move(dims);
    tensor.data = SharedBytes::own(std::move(bytes));
    return tensor;
}

Tensor quantized(const std::vector<float>& values, const Grid& grid)
{
    std::vector<std::int8_t> codes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float scale = grid.scales[grid.scales.size() == 1 ? 0 : i / (values.size() / grid.scales.size())];
        const float code = std::nearbyint(values[i] / scale) + static_cast<float>(grid.zeroPoint);
        codes.push_back(static_cast<std::int8_t>(static_cast<int>(std::clamp(code, grid.least, grid.most))));
    }
    return tensorOf(grid.type, {kRows, kColumns}, codes);
}

/// x -> Gemm with "w" through a DequantizeLinear, and with "b"; the initializers are given as they are.
std::shared_ptr<const Model> quantizedProduct(
    const Tensor& codes, const Grid& grid, const std::vector<float>& bias = std::vector<float>(kRows, 0))
{
    ModelBuilder builder;
    builder.input("x", {1, kColumns}).weight("w", codes.dims, {0}).weight("zero", {}, {0});
    builder.weight("scale", {}, {0});
    builder.node("DequantizeLinear", "dq", {"w", "scale", "zero"}, {"wf"}, {{"axis", std::int64_t{0}}});
    builder.weight("b", {kRows}, bias);
    builder.node("Gemm", "fc", {"x", "wf", "b"}, {"y"}, {{"transB", std::int64_t{1}}}).output("y");
    Model draft = *builder.build();
    const auto count = static_cast<std::int64_t>(grid.scales.size());
    const std::vector<std::int64_t> dims = count == 1 ? std::vector<std::int64_t>{} : std::vector{count};
    for (Tensor& tensor : draft.tensors) {
        const std::string name = tensor.name;
        if (name == "w")
            tensor = codes;
        else if (name == "scale")
            tensor = tensorOf(ElementType::Float32, dims, grid.scales);
        else if (name == "zero")
            tensor = tensorOf(grid.type, dims,
                std::vector<std::int8_t>(grid.scales.size(), static_cast<std::int8_t>(grid.zeroPoint)));
        tensor.name = name;
    }
    return std::make_shared<const Model>(std::move(draft));
}

CheckpointBuilder twoWeights(const std::vector<float>& values)
{
    CheckpointBuilder stored;
    stored.key("other.weight", {kRows, kColumns}, randomValues(values.size(), 99));
    return stored.key("fc.weight", {kRows, kColumns}, values);
}

TEST(QuantizedContent, SymmetricWeightIsFound)
{
    const auto values = randomValues(kRows * kColumns, 1);
    const Grid grid{ElementType::Int8, {4.F / 127}, 0, -127, 127};
    const ContentCase found(quantizedProduct(quantized(values, grid), grid), twoWeights(values).build());
    EXPECT_EQ(found.at("w"), (Owners{{"fc.weight"}, "quantized", "proof"}));
    EXPECT_EQ(found.match("w").evidence.front(), "within half a quantization step of 'fc.weight', 960 elements");
}

TEST(QuantizedContent, EachRowMayHaveItsScale)
{
    const auto values = randomValues(kRows * kColumns, 1);
    Grid grid{ElementType::Int8, {}, 0, -127, 127};
    for (int row = 0; row < kRows; ++row)
        grid.scales.push_back(0.02F + 0.001F * static_cast<float>(row));
    const ContentCase found(quantizedProduct(quantized(values, grid), grid), twoWeights(values).build());
    EXPECT_EQ(found.at("w"), (Owners{{"fc.weight"}, "quantized", "proof"}));
}

TEST(QuantizedContent, ClippedValuesMayLieFurtherOut)
{
    const auto values = randomValues(kRows * kColumns, 1);
    const Grid grid{ElementType::Int8, {2.F / 127}, 0, -128, 127}; // half the range of the values
    const ContentCase found(quantizedProduct(quantized(values, grid), grid), twoWeights(values).build());
    EXPECT_EQ(found.at("w"), (Owners{{"fc.weight"}, "quantized", "proof"}));
}

TEST(QuantizedContent, UnsignedCodesHaveAZeroPoint)
{
    auto values = randomValues(kRows * kColumns, 1);
    for (float& value : values)
        value += 0.5F;
    const Grid grid{ElementType::UInt8, {8.F / 255}, 112, 0, 255};
    const ContentCase found(quantizedProduct(quantized(values, grid), grid), twoWeights(values).build());
    EXPECT_EQ(found.at("w"), (Owners{{"fc.weight"}, "quantized", "proof"}));
}

TEST(QuantizedContent, ValueFurtherThanHalfAStepIsNoMatch)
{
    const auto values = randomValues(kRows * kColumns, 1);
    const Grid grid{ElementType::Int8, {4.F / 127}, 0, -127, 127};
    auto others = values;
    others[500] += 2 * grid.scales[0];
    const ContentCase found(quantizedProduct(quantized(others, grid), grid), twoWeights(values).build());
    EXPECT_EQ(found.at("w"), (Owners{{}, "none", ""}));
}

TEST(QuantizedContent, TwoWeightsWithinAStepAreNotToldApart)
{
    const auto values = randomValues(kRows * kColumns, 1);
    const Grid grid{ElementType::Int8, {4.F / 127}, 0, -127, 127};
    auto average = values;
    for (float& value : average)
        value *= 1.00001F;
    CheckpointBuilder stored;
    stored.key("ema.fc.weight", {kRows, kColumns}, average).key("net.fc.weight", {kRows, kColumns}, values);
    const auto model = quantizedProduct(quantized(values, grid), grid);
    EXPECT_EQ(ContentCase(model, stored.build()).at("w"), (Owners{{"ema.fc.weight"}, "quantized", "guess"}));
    ContentPriors priors;
    priors.modules = {std::nullopt, "net.fc"};
    EXPECT_EQ(
        ContentCase(model, stored.build(), priors).at("w"), (Owners{{"net.fc.weight"}, "quantized", "witnessed"}));
}

TEST(QuantizedContent, NormFoldedBeforeQuantizingIsRecomputed)
{
    const auto values = randomValues(kRows * kColumns, 1);
    const auto gamma = randomValues(kRows, 2);
    const auto variance = randomValues(kRows, 3);
    CheckpointBuilder stored = twoWeights(values);
    const auto beta = randomValues(kRows, 4);
    const auto mean = randomValues(kRows, 5);
    std::vector<float> bias;
    std::vector<float> squares;
    std::vector<float> folded = values;
    for (std::size_t r = 0; r < static_cast<std::size_t>(kRows); ++r) {
        squares.push_back(0.3F + variance[r] * variance[r]);
        for (std::size_t c = 0; c < static_cast<std::size_t>(kColumns); ++c)
            folded[r * kColumns + c] *= gamma[r] / std::sqrt(squares[r] + 1e-5F);
        bias.push_back(beta[r] - mean[r] * (gamma[r] / std::sqrt(squares[r] + 1e-5F)));
    }
    stored.key("bn.weight", {kRows}, gamma).key("bn.bias", {kRows}, beta);
    stored.key("bn.running_mean", {kRows}, mean).key("bn.running_var", {kRows}, squares);
    Grid grid{ElementType::Int8, {}, 0, -127, 127};
    for (std::size_t r = 0; r < static_cast<std::size_t>(kRows); ++r) {
        float largest = 0;
        for (std::size_t c = 0; c < static_cast<std::size_t>(kColumns); ++c)
            largest = std::max(largest, std::abs(folded[r * kColumns + c]));
        grid.scales.push_back(largest / 127);
    }
    const ContentCase found(quantizedProduct(quantized(folded, grid), grid, bias), stored.build());
    EXPECT_EQ(found.at("w"), (Owners{{"fc.weight", "bn.weight", "bn.running_var"}, "quantized", "proof"}));
    EXPECT_EQ(
        found.at("b").keys, (std::vector<std::string>{"bn.weight", "bn.bias", "bn.running_mean", "bn.running_var"}));
    EXPECT_EQ(found.match("b").transform.epsilon, 1e-5); // the integers fit other ones as well
}

/// The largest codes may be clipped, but where they are all there is to see they still give the factor.
TEST(QuantizedContent, RowsOfOneLargeValueKeepTheirFactor)
{
    auto values = randomValues(kRows * kColumns, 1);
    CheckpointBuilder stored = twoWeights(values);
    std::vector<float> folded;
    Grid grid{ElementType::Int8, {}, 0, -127, 127};
    const auto gamma = randomValues(kRows, 2);
    for (std::size_t r = 0; r < static_cast<std::size_t>(kRows); ++r) {
        for (std::size_t c = 0; c < static_cast<std::size_t>(kColumns); ++c) {
            float& value = values[r * kColumns + c];
            value = c == r % 8 ? 1.F : 0.01F * value;
            folded.push_back(value * gamma[r] / std::sqrt(1 + 1e-5F));
        }
        grid.scales.push_back(std::abs(gamma[r]) / std::sqrt(1 + 1e-5F) / 127);
    }
    stored.key("narrow.weight", {kRows, kColumns}, values).key("bn.weight", {kRows}, gamma);
    stored.key("bn.bias", {kRows}, randomValues(kRows, 4)).key("bn.running_mean", {kRows}, randomValues(kRows, 5));
    stored.key("bn.running_var", {kRows}, std::vector<float>(kRows, 1));
    const ContentCase found(quantizedProduct(quantized(folded, grid), grid), stored.build());
    EXPECT_EQ(found.at("w"), (Owners{{"narrow.weight", "bn.weight", "bn.running_var"}, "quantized", "proof"}));
}

TEST(QuantizedContent, IntegerProductMayBeScaledLater)
{
    const auto values = randomValues(kRows * kColumns, 1);
    const Grid grid{ElementType::Int8, {4.F / 127}, 0, -127, 127};
    const Tensor codes = quantized(values, grid);
    ModelBuilder builder;
    builder.input("x", {1, kRows}).weight("w", codes.dims, {0});
    builder.node("MatMulInteger", "fc", {"x", "w"}, {"y"}).output("y");
    Model draft = *builder.build();
    draft.tensors[0].type = codes.type;
    draft.tensors[0].data = codes.data;
    const ContentCase found(std::make_shared<const Model>(std::move(draft)), twoWeights(values).build());
    EXPECT_EQ(found.at("w"), (Owners{{"fc.weight"}, "quantized", "proof"}));
    EXPECT_EQ(
        found.match("w").evidence.front(), "within a quantization step of one factor times 'fc.weight', 960 elements");
}

} // namespace
} // namespace duo::test
