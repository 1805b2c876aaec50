// SPDX-License-Identifier: Apache-2.0
#include "tests/support/seeded_fill.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>

namespace duo::test {
namespace {

using Recipe = std::map<std::string, std::string>;

class SplitMix64
{
public:
    explicit SplitMix64(std::uint64_t seed)
        : m_state(seed)
    {
    }
    std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15U;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return z ^ (z >> 31U);
    }

private:
    std::uint64_t m_state;
};

/// Sum of twelve 16-bit numbers, centred: close to normal, deviation 1.
double nextNormal(SplitMix64& words)
{
    std::int64_t sum = 0;
    for (int i = 0; i < 3; ++i) {
        for (std::uint64_t word = words.next(), field = 0; field < 4; ++field, word >>= 16U)
            sum += static_cast<std::int64_t>(word & 0xFFFFU);
    }
    return static_cast<double>(sum - 393210) / 65536.0;
}

double nextUniform(SplitMix64& words)
{
    return static_cast<double>(words.next() >> 40U) * 0x1p-24;
}

template <typename T> bool parse(const Recipe& recipe, const char* key, T& value)
{
    const auto found = recipe.find(key);
    if (found == recipe.end())
        return false;
    const std::string& text = found->second;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failed == std::errc{} && end == text.data() + text.size();
}

/// The generator a recipe describes; empty if it is broken.
std::function<double()> generatorOf(const Recipe& recipe)
{
    std::uint64_t seed = 0;
    if (!parse(recipe, "seed", seed))
        return {};
    const auto distribution = recipe.find("distribution");
    double first = 0;
    double second = 0;
    if (distribution == recipe.end())
        return {};
    if (distribution->second == "normal" && parse(recipe, "mean", first) && parse(recipe, "std", second))
        return [=, words = SplitMix64(seed)]() mutable { return first + second * nextNormal(words); };
    if (distribution->second == "uniform" && parse(recipe, "low", first) && parse(recipe, "high", second))
        return [=, words = SplitMix64(seed)]() mutable { return first + (second - first) * nextUniform(words); };
    return {};
}

/// Nearest binary16, ties to even; too large becomes infinity.
std::uint16_t toHalf(double value)
{
    const auto bits = std::bit_cast<std::uint64_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 48U & 0x8000U);
    const double magnitude = std::bit_cast<double>(bits & ~(std::uint64_t{1} << 63U));
    if (magnitude >= 65520.0)
        return static_cast<std::uint16_t>(sign | 0x7C00U);
    // Adding 2^52 units of the last place rounds a double to that place, ties to even.
    int exponent = static_cast<int>(bits >> 52U & 0x7FFU) - 1023;
    exponent = exponent < -14 ? -14 : exponent;
    const double unit = std::bit_cast<double>(static_cast<std::uint64_t>(exponent - 10 + 1023) << 52U);
    const double shift = unit * 0x1p52;
    const auto units = static_cast<std::uint32_t>((magnitude + shift - shift) / unit); // 0..2048
    const auto biased = static_cast<std::uint32_t>(exponent + 14) << 10U; // the leading one of units adds the rest
    return static_cast<std::uint16_t>(sign | (biased + units));
}

template <typename T, typename Convert>
void fill(std::string& raw, const std::function<double()>& next, Convert convert)
{
    for (std::size_t at = 0; at < raw.size(); at += sizeof(T)) {
        const T value = convert(next());
        std::memcpy(raw.data() + at, &value, sizeof(T));
    }
}

Status fillGraph(onnx::GraphProto& graph);

/// Constant nodes and bodies.
Status fillNodes(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes)
{
    for (auto& node : nodes) {
        for (auto& attribute : *node.mutable_attribute()) {
            if (attribute.has_t())
                DUO_CHECK(fillTensor(*attribute.mutable_t()));
            if (attribute.has_g())
                DUO_CHECK(fillGraph(*attribute.mutable_g()));
        }
    }
    return success();
}

Status fillGraph(onnx::GraphProto& graph)
{
    for (auto& tensor : *graph.mutable_initializer())
        DUO_CHECK(fillTensor(tensor));
    return fillNodes(*graph.mutable_node());
}

Error broken(const onnx::TensorProto& tensor, const std::string& what)
{
    return {ErrorCode::BadData, what, "tensor '" + tensor.name() + "'", "see tests/data/models/README.md"};
}

} // namespace

Status fillTensor(onnx::TensorProto& tensor)
{
    Recipe recipe;
    for (const auto& entry : tensor.external_data())
        recipe[entry.key()] = entry.value();
    if (tensor.data_location() != onnx::TensorProto::EXTERNAL || recipe["location"] != "seeded-fill")
        return success();
    const auto next = generatorOf(recipe);
    if (!next)
        return broken(tensor, "the recipe is not complete");
    std::size_t count = 1;
    for (const std::int64_t dim : tensor.dims())
        count *= static_cast<std::size_t>(dim);
    std::string raw;
    switch (tensor.data_type()) {
    case onnx::TensorProto::FLOAT:
        raw.resize(count * sizeof(float));
        fill<float>(raw, next, [](double value) { return static_cast<float>(value); });
        break;
    case onnx::TensorProto::DOUBLE:
        raw.resize(count * sizeof(double));
        fill<double>(raw, next, [](double value) { return value; });
        break;
    case onnx::TensorProto::FLOAT16:
        raw.resize(count * sizeof(std::uint16_t));
        fill<std::uint16_t>(raw, next, toHalf);
        break;
    default:
        return broken(tensor, "the recipe has no rule for element type " + std::to_string(tensor.data_type()));
    }
    tensor.clear_external_data();
    tensor.clear_data_location();
    tensor.set_raw_data(std::move(raw));
    return success();
}

Status fillModel(onnx::ModelProto& model)
{
    DUO_CHECK(fillGraph(*model.mutable_graph()));
    for (auto& function : *model.mutable_functions())
        DUO_CHECK(fillNodes(*function.mutable_node()));
    return success();
}

} // namespace duo::test
