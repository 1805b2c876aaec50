// SPDX-License-Identifier: Apache-2.0
// Samples that are made: sizes, plausible values, states.
#include "core/calibrate/samples/dataset.h"
#include "core/calibrate/samples/made_input.h"
#include "core/calibrate/samples/name_words.h"
#include "core/calibrate/samples/random_dataset.h"
#include "core/calibrate/samples/size_ladder.h"
#include "core/calibrate/samples/size_needs.h"
#include "core/onnx/reader.h"
#include "tests/support/model_builder.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;
using Dims = std::vector<std::int64_t>;

std::vector<std::int64_t> intsOf(const HostTensor& tensor)
{
    std::vector<std::int64_t> out(tensor.bytes.size() / sizeof(std::int64_t));
    std::memcpy(out.data(), tensor.bytes.data(), tensor.bytes.size());
    return out;
}

/// A model whose inputs have the shapes told; a symbol that is a number is a size.
struct Shaped {
    std::string name;
    std::vector<std::string> dims;
    ElementType type = ElementType::Float32;
};

std::shared_ptr<const Model> modelWith(
    const std::vector<Shaped>& inputs, test::ModelBuilder builder = test::ModelBuilder())
{
    for (const Shaped& input : inputs)
        builder.input(input.name, Dims(input.dims.size(), -1), input.type);
    auto model = std::make_shared<Model>(*builder.build());
    for (const Shaped& input : inputs) {
        auto& shape = model->values[model->findValue(input.name).index].type.shape.emplace(input.dims.size());
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            const std::string& dim = input.dims[axis];
            const bool isSize = !dim.empty() && dim.find_first_not_of("0123456789") == std::string::npos;
            shape[axis] = isSize ? Dim{std::stoll(dim), {}} : Dim{std::nullopt, dim};
        }
    }
    return model;
}

std::vector<HostTensor> firstSample(const Model& model, const DatasetOptions& options = {})
{
    const auto data = openDataset("random:1", model, options);
    EXPECT_TRUE(data) << data.error().line();
    return data ? *(*data)->sample(0) : std::vector<HostTensor>();
}

TEST(NameWords, SplitsNamesAsTheyAreWritten)
{
    EXPECT_THAT(NameWords("past_key_values.0.key").words(), ElementsAre("past", "key", "values", "key"));
    EXPECT_THAT(NameWords("tokenTypeIds").words(), ElementsAre("token", "type", "ids"));
    EXPECT_THAT(NameWords("h0").words(), ElementsAre("h"));
}

TEST(MadeSamples, FeedsATransformerWhatItExpects)
{
    const auto model = modelWith({{"input_ids", {"batch", "sequence"}, ElementType::Int64},
        {"attention_mask", {"batch", "total"}, ElementType::Int64},
        {"token_type_ids", {"batch", "sequence"}, ElementType::Int64},
        {"position_ids", {"batch", "sequence"}, ElementType::Int64},
        {"past_key_values.0.key", {"batch", "4", "past", "16"}}});
    const auto feeds = firstSample(*model);
    EXPECT_EQ(feeds[0].dims, (Dims{1, 8}));
    EXPECT_EQ(intsOf(feeds[1]), Dims(8, 1)) << "the past is empty: the mask is as long as the tokens";
    EXPECT_EQ(intsOf(feeds[2]), Dims(8, 0));
    EXPECT_THAT(intsOf(feeds[3]), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_EQ(feeds[4].dims, (Dims{1, 4, 0, 16}));
}

TEST(MadeSamples, KeepsMaskAndPositionsInStepWithThePast)
{
    const auto model = modelWith(
        {{"input_ids", {"b", "s"}, ElementType::Int64}, {"attention_mask", {"b", "p + s"}, ElementType::Int64},
            {"position_ids", {"b", "s"}, ElementType::Int64}, {"past_key_values.0.key", {"b", "4", "p", "16"}}});
    DatasetOptions options;
    options.dims = {{"p", 5}, {"s", 2}};
    const auto feeds = firstSample(*model, options);
    EXPECT_EQ(feeds[1].dims, (Dims{1, 7}));
    EXPECT_THAT(intsOf(feeds[2]), ElementsAre(5, 6));
    EXPECT_EQ(feeds[3].dims, (Dims{1, 4, 5, 16}));
}

TEST(MadeSamples, KeepsPositionsWithinTheTableTheyAreLookedUpIn)
{
    test::ModelBuilder builder;
    builder.weight("table", {3, 2}).node("Identity", "same", {"table"}, {"t"});
    builder.node("Gather", "look_up", {"t", "pos"}, {"y"}).output("y");
    DatasetOptions options;
    options.dims = {{"s", 5}};
    const auto feeds = firstSample(*modelWith({{"pos", {"1", "s"}, ElementType::Int64}}, builder), options);
    EXPECT_THAT(intsOf(feeds[0]), ElementsAre(0, 1, 2, 0, 1));
}

TEST(MadeSamples, TellsLengthsOfTheSequenceTheyAreNamedAfter)
{
    const auto model = modelWith({{"text", {"b", "t"}, ElementType::Int64}, {"audio_features", {"b", "f", "80"}},
        {"audio_length", {"b"}, ElementType::Int64}});
    DatasetOptions options;
    options.dims = {{"t", 3}, {"f", 40}};
    EXPECT_THAT(intsOf(firstSample(*model, options)[2]), ElementsAre(40));
}

TEST(MadeSamples, TakesTheConstantThatAScalarIsComparedWith)
{
    test::ModelBuilder builder;
    builder.ints("rate", {8000}).node("Equal", "eq", {"sr", "rate"}, {"is"}).output("is");
    EXPECT_THAT(intsOf(firstSample(*modelWith({{"sr", {}, ElementType::Int64}}, builder))[0]), ElementsAre(8000));
    EXPECT_THAT(intsOf(firstSample(*modelWith({{"sr", {}, ElementType::Int64}}))[0]), ElementsAre(16000));
}

TEST(MadeSamples, StartsStatesAtZeroAndSaysHowToFeedThemBack)
{
    test::ModelBuilder builder;
    builder.node("Add", "add", {"x", "h"}, {"hn"}).output("hn");
    const auto model = modelWith({{"x", {"1", "2"}}, {"h", {"1", "2"}}}, builder);
    const auto data = openDataset("random:1", *model);
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_THAT((*(*data)->sample(0))[1].floats(), ElementsAre(0.0F, 0.0F));
    EXPECT_EQ(
        (*data)->notes().back().text, "state 'h' is zero in every sample; --feed hn=h feeds back what the model gives");
}

TEST(MadeSamples, RefusesFeedsThatDoNotFit)
{
    test::ModelBuilder builder;
    builder.node("Add", "add", {"x", "h"}, {"hn"}).output("hn");
    const auto model = modelWith({{"x", {"1", "2"}}, {"h", {"1", "2"}}}, builder);
    const auto error = [&](const std::string& output, const std::string& input) {
        DatasetOptions options;
        options.feedBack = {{output, input}};
        const auto data = openDataset("random:1", *model, options);
        return data ? "no error" : data.error().line();
    };
    EXPECT_EQ(error("gn", "h"), "no output of the model is named 'gn': --feed gn=h: it has 'hn'");
    EXPECT_EQ(error("hn", "g"), "no input of the model is named 'g': --feed hn=g: it has 'x', 'h'");
}

TEST(SizeNeeds, MultipliesStridesUntilSomethingEnlargesAgain)
{
    test::ModelBuilder builder;
    builder.weight("w", {8, 3, 3, 3})
        .node("Conv", "c", {"x", "w"}, {"a"}, {{"strides", Dims{2, 2}}})
        .node("MaxPool", "p", {"a"}, {"b"}, {{"strides", Dims{2, 2}}, {"kernel_shape", Dims{2, 2}}})
        .node("ConvTranspose", "u", {"b", "w"}, {"c"}, {{"strides", Dims{2, 2}}})
        .output("c");
    const auto model = modelWith({{"x", {"n", "3", "h", "w_"}}}, builder);
    EXPECT_EQ(sizeNeeds(*model, model->findValue("x")).multiple, 4);
}

TEST(SizeNeeds, CountsStridesOfConvolutionsOfIntegersToo)
{
    test::ModelBuilder builder;
    builder.weight("w", {8, 3, 3, 3})
        .node("ConvInteger", "c", {"x", "w"}, {"y"}, {{"strides", Dims{2, 2}}})
        .output("y");
    const auto model = modelWith({{"x", {"n", "3", "h", "w_"}}}, builder);
    EXPECT_EQ(sizeNeeds(*model, model->findValue("x")).multiple, 2);
}

TEST(SizeNeeds, FindsTheLengthOfAddedPositions)
{
    test::ModelBuilder builder;
    builder.weight("w", {8, 80, 3})
        .weight("positions", {1, 50, 8})
        .node("Conv", "c", {"x", "w"}, {"a"}, {{"strides", Dims{2}}})
        .node("Transpose", "t", {"a"}, {"b"})
        .node("Add", "add", {"b", "positions"}, {"y"})
        .output("y");
    const auto model = modelWith({{"x", {"n", "80", "frames"}}}, builder);
    EXPECT_THAT(sizeNeeds(*model, model->findValue("x")).lengths, ElementsAre(100));
}

TEST(SizeLadder, TakesRolesFromNamesAndPlaces)
{
    const auto first = [](const std::vector<Shaped>& inputs) {
        const auto model = modelWith(inputs);
        const auto all = modelInputs(*model);
        return sizeLadder(*model, all, madeInputs(*model, all), {}).steps.front();
    };
    EXPECT_EQ(first({{"image", {"N", "3", "h", "w"}}}), (Sizes{{"N", 1}, {"h", 64}, {"w", 64}}));
    EXPECT_EQ(first({{"x", {"?", "?", "?", "3"}}}), (Sizes{{"x[0]", 1}, {"x[1]", 64}, {"x[2]", 64}}));
    EXPECT_EQ(first({{"audio", {"batch", "samples"}}}), (Sizes{{"batch", 1}, {"samples", 512}}));
    EXPECT_EQ(first({{"features", {"sequence_length", "576"}}}), (Sizes{{"sequence_length", 8}}));
    EXPECT_EQ(first({{"x", {"B", "16", "T"}}, {"h", {"1", "B", "32"}}}), (Sizes{{"B", 1}, {"T", 8}}));
}

TEST(SizeLadder, AsksForWhatIsNeitherABatchNorGiven)
{
    const auto model = modelWith({{"image", {"batch", "3", "height", "width"}}});
    EXPECT_THAT(sizesToChoose(*model, {}), ElementsAre("height", "width"));
    DatasetOptions options;
    options.dims = {{"height", 64}};
    EXPECT_THAT(sizesToChoose(*model, options), ElementsAre("width"));
}

TEST(SizeLadder, LeavesGivenSizesAsTheyAre)
{
    const auto model = modelWith({{"image", {"N", "3", "h", "w"}}});
    const auto all = modelInputs(*model);
    const SizeLadder ladder = sizeLadder(*model, all, madeInputs(*model, all), {{"h", 40}});
    EXPECT_THAT(ladder.names, ElementsAre("w"));
    for (const Sizes& step : ladder.steps)
        EXPECT_EQ(step.at("h"), 40);
}

} // namespace
} // namespace duo
