// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/generated/random_dataset.h"

#include "core/calibrate/generated/gather_axis.h"
#include "core/calibrate/generated/random_fill.h"
#include "core/calibrate/model_input.h"

#include <algorithm>
#include <charconv>

namespace duo {
namespace {

constexpr std::int64_t kMaxSamples = 1'000'000;
constexpr std::int64_t kMaxSampleBytes = std::int64_t{1} << 31;

class RandomDataset final : public Dataset
{
public:
    RandomDataset(std::int64_t samples, std::uint64_t seed, std::vector<RandomFill> fills)
        : m_samples(samples)
        , m_seed(seed)
        , m_fills(std::move(fills))
        , m_notes{{"random-data", "the data are random: they say nothing about accuracy", {}}}
    {
    }

    [[nodiscard]] std::int64_t size() const override { return m_samples; }
    [[nodiscard]] const std::vector<Note>& notes() const override { return m_notes; }

    [[nodiscard]] Result<std::vector<HostTensor>> sample(std::int64_t index) const override
    {
        std::vector<HostTensor> feeds;
        for (std::size_t i = 0; i < m_fills.size(); ++i)
            feeds.push_back(m_fills[i].tensor({m_seed, static_cast<std::uint64_t>(index), i}));
        return feeds;
    }

    [[nodiscard]] Result<HostTensor> array(const std::string& name) const override
    {
        return Error{ErrorCode::BadData, "there is no array '" + name + "'", "random data", "give real data"};
    }

private:
    std::int64_t m_samples;
    std::uint64_t m_seed;
    std::vector<RandomFill> m_fills;
    std::vector<Note> m_notes;
};

struct Arguments {
    std::int64_t samples = 0;
    std::uint64_t seed = 0;
};

template <typename T> bool parseAll(std::string_view text, T& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

Result<Arguments> parseArguments(const std::string& text)
{
    Arguments arguments;
    const std::size_t colon = text.find(':');
    const std::string_view all(text);
    const bool hasSeed = colon != std::string::npos;
    const bool good = parseAll(all.substr(0, colon), arguments.samples)
        && (!hasSeed || parseAll(all.substr(colon + 1), arguments.seed));
    if (!good || arguments.samples < 1 || arguments.samples > kMaxSamples)
        return Error{ErrorCode::Usage, "random data need a count from 1 to 1000000", "random:" + text,
            "write random:N or random:N:SEED"};
    return arguments;
}

/// Sizes of the symbols of all inputs: given ones, 1 for the first axis of any input, 8 elsewhere.
std::map<std::string, std::int64_t> symbolSizes(
    const std::vector<ModelInput>& inputs, const std::map<std::string, std::int64_t>& given)
{
    constexpr std::int64_t kOther = 8;
    std::map<std::string, std::int64_t> sizes;
    for (const ModelInput& input : inputs) {
        for (std::size_t axis = 0; input.shape && axis < input.shape->size(); ++axis) {
            const std::string& symbol = (*input.shape)[axis].symbol;
            auto& size = sizes.try_emplace(symbol, kOther).first->second;
            size = axis == 0 ? 1 : size;
        }
    }
    for (auto& [symbol, size] : sizes) {
        if (const auto named = given.find(symbol); named != given.end())
            size = named->second;
    }
    return sizes;
}

Status checkNames(const std::vector<ModelInput>& inputs, const std::map<std::string, std::int64_t>& given)
{
    std::vector<std::string> symbols;
    for (const ModelInput& input : inputs) {
        for (const Dim& dim : input.shape.value_or(std::vector<Dim>{})) {
            if (!dim.size && !dim.symbol.empty() && std::ranges::find(symbols, dim.symbol) == symbols.end())
                symbols.push_back(dim.symbol);
        }
    }
    for (const auto& [name, size] : given) {
        if (std::ranges::find(symbols, name) == symbols.end())
            return Error{ErrorCode::Usage, "no input has a dimension of this name", name,
                symbols.empty() ? "the inputs have no symbolic dimension" : "they have " + listText(symbols)};
        if (size < 0)
            return Error{ErrorCode::Usage, "a dimension cannot be negative", name, "give a size"};
    }
    return success();
}

Result<RandomFill> fillOf(
    const Model& model, const ModelInput& input, const std::map<std::string, std::int64_t>& symbols)
{
    if (!input.shape)
        return Error{ErrorCode::BadData, "an input of unknown rank cannot be filled with random data", input.name,
            "give data in a file"};
    RandomFill fill;
    fill.name = input.name;
    fill.type = input.type;
    for (std::size_t axis = 0; axis < input.shape->size(); ++axis) {
        const Dim& dim = (*input.shape)[axis];
        const std::int64_t unnamed = axis == 0 ? 1 : 8;
        fill.dims.push_back(dim.size ? *dim.size : dim.symbol.empty() ? unnamed : symbols.at(dim.symbol));
    }
    fill.below = std::max<std::int64_t>(1, gatherLimit(model, input.value).value_or(2));
    const auto count = elementCount(fill.dims);
    const auto bytes = count ? packedBytes(fill.type, *count) : std::nullopt;
    if (!canFill(fill.type) || !bytes)
        return Error{ErrorCode::BadData, "an input of this type cannot be filled with random data", input.name,
            "its type is " + std::string(elementTypeName(input.type)) + "; give data in a file"};
    if (*bytes > kMaxSampleBytes)
        return Error{ErrorCode::BadData, "one sample of random data would be larger than 2 GiB", input.name,
            "its shape is " + shapeText(fill.dims) + "; set its symbolic dimensions"};
    return fill;
}

} // namespace

Result<std::shared_ptr<const Dataset>> randomDataset(
    const std::string& arguments, const Model& model, const DatasetOptions& options)
{
    DUO_TRY(parsed, parseArguments(arguments));
    const auto inputs = modelInputs(model);
    DUO_CHECK(checkNames(inputs, options.dims));
    const auto symbols = symbolSizes(inputs, options.dims);
    std::vector<RandomFill> fills;
    for (const ModelInput& input : inputs) {
        DUO_TRY(fill, fillOf(model, input, symbols));
        fills.push_back(std::move(fill));
    }
    return std::shared_ptr<const Dataset>(
        std::make_shared<RandomDataset>(parsed.samples, parsed.seed, std::move(fills)));
}

} // namespace duo
