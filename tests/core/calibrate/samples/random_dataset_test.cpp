// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/dataset.h"

#include "tests/support/model_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include <gtest/gtest.h>

namespace duo {
namespace {

std::vector<std::int64_t> intsOf(const HostTensor& tensor)
{
    std::vector<std::int64_t> out(tensor.bytes.size() / sizeof(std::int64_t));
    std::memcpy(out.data(), tensor.bytes.data(), tensor.bytes.size());
    return out;
}

std::shared_ptr<const Model> floatModel(std::vector<std::int64_t> dims)
{
    return test::ModelBuilder().input("x", std::move(dims)).node("Relu", "r", {"x"}, {"y"}).output("y").build();
}

TEST(RandomDataset, FillsFloatsWithStandardNormalNumbers)
{
    const auto data = openDataset("random:2:7", *floatModel({1, 100, 100}));
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_EQ((*data)->size(), 2);
    const auto sample = *(*data)->sample(1);
    const auto values = sample[0].floats();
    ASSERT_EQ(values.size(), 10000U);
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / 10000;
    const double square = std::inner_product(values.begin(), values.end(), values.begin(), 0.0) / 10000;
    EXPECT_NEAR(mean, 0, 0.05);
    EXPECT_NEAR(square, 1, 0.05);
    EXPECT_EQ((*data)->notes()[0].text, "the data are random: they say nothing about accuracy");
}

TEST(RandomDataset, DependsOnSeedSampleAndInputOnly)
{
    const auto model = floatModel({1, 8});
    const auto bytes = [&](const std::string& spec, std::int64_t index) {
        return (*(*openDataset(spec, *model))->sample(index))[0].bytes;
    };
    EXPECT_EQ(bytes("random:2", 1), bytes("random:5:0", 1));
    EXPECT_NE(bytes("random:2", 0), bytes("random:2", 1));
    EXPECT_NE(bytes("random:2", 0), bytes("random:2:1", 0));
}

TEST(RandomDataset, SizesSymbolicDimensions)
{
    const auto batch = *openDataset("random:1", *floatModel({-1, 3}));
    EXPECT_EQ((*batch->sample(0))[0].dims, (std::vector<std::int64_t>{1, 3}));
    const auto inner = *openDataset("random:1", *floatModel({1, -1}));
    EXPECT_EQ((*inner->sample(0))[0].dims, (std::vector<std::int64_t>{1, 8}));
    DatasetOptions options;
    options.dims["N"] = 5;
    const auto given = *openDataset("random:1", *floatModel({1, -1}), options);
    EXPECT_EQ((*given->sample(0))[0].dims, (std::vector<std::int64_t>{1, 5}));
}

TEST(RandomDataset, KeepsIntegersBelowTheTableTheyIndex)
{
    const auto model = test::ModelBuilder()
                           .input("ids", {1, 200}, ElementType::Int64)
                           .input("flags", {1, 200}, ElementType::Int64)
                           .weight("table", {3, 4})
                           .node("Identity", "id", {"ids"}, {"same"})
                           .node("Gather", "look", {"table", "same"}, {"rows"})
                           .node("Cast", "c", {"flags"}, {"m"}, {{"to", std::int64_t{1}}})
                           .output("rows")
                           .output("m")
                           .build();
    const auto sample = *(*openDataset("random:1", *model))->sample(0);
    const auto ids = intsOf(sample[0]);
    EXPECT_EQ(std::ranges::min(ids), 0);
    EXPECT_EQ(std::ranges::max(ids), 2);
    const auto flags = intsOf(sample[1]);
    EXPECT_EQ(std::ranges::min(flags), 0);
    EXPECT_EQ(std::ranges::max(flags), 1);
}

TEST(RandomDataset, RefusesWhatItCannotMake)
{
    const auto error = [](const std::string& spec, const Model& model, const DatasetOptions& options = {}) {
        const auto data = openDataset(spec, model, options);
        return data ? "no error" : data.error().line();
    };
    const auto model = floatModel({1, 8});
    EXPECT_EQ(error("random:0", *model),
        "random data need a count from 1 to 1000000: random:0: write random:N or random:N:SEED");
    EXPECT_EQ(error("random:2:x", *model),
        "random data need a count from 1 to 1000000: random:2:x: write random:N or random:N:SEED");
    EXPECT_EQ(error("random:1", *floatModel({1, 1 << 30})),
        "one sample of random data would be larger than 2 GiB: x: its shape is [1, 1073741824]; set its symbolic "
        "dimensions");
    DatasetOptions options;
    options.dims["seq"] = 5;
    EXPECT_EQ(
        error("random:1", *floatModel({-1, 8}), options), "no input has a dimension of this name: seq: they have 'N'");
}

} // namespace
} // namespace duo
