// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/compare.h"

#include "core/onnx/reader.h"
#include "core/report/compare_report.h"
#include "tests/core/analysis/small_network.h"
#include "tests/support/numpy_files.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::npy;
using test::SmallNetwork;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class CompareTest : public testing::Test
{
protected:
    /// y = x * (2, 2) + shift
    [[nodiscard]] std::shared_ptr<const Model> network(
        const std::string& file, float first, float second, const std::string& output = "y") const
    {
        return SmallNetwork()
            .input("x")
            .weight("two", 2, 2)
            .weight("shift", first, second)
            .node("Mul", {"x", "two"}, "h")
            .node("Add", {"h", "shift"}, output)
            .output(output)
            .write(m_folder, file);
    }

    /// One sample per row.
    [[nodiscard]] Result<Comparison> compare(const Model& a, const Model& b, const std::vector<float>& rows,
        const CompareOptions& options = {}, const std::vector<std::int64_t>& labels = {}) const
    {
        const auto count = static_cast<std::int64_t>(rows.size()) / 2;
        test::writeNpz(m_folder / "d.npz",
            {{"x.npy", npy<float>({count, 2}, rows)},
                {"labels.npy", npy<std::int64_t>({static_cast<std::int64_t>(labels.size())}, labels)}});
        DatasetOptions wanted;
        wanted.arrays = {"labels"};
        DUO_TRY(dataset, openDataset((m_folder / "d.npz").string(), a, wanted));
        return compareModels(a, b, *dataset, options);
    }

    test::TemporaryFolder m_folder;
};

TEST_F(CompareTest, MeasuresOutputsInnerValuesSizesAndLatency)
{
    const auto a = network("a.onnx", 0, 0);
    const auto b = network("b.onnx", 0.5, 0);
    const auto result = compare(*a, *b, {1.5, 2});
    ASSERT_TRUE(result) << result.error().line();
    ASSERT_THAT(result->outputs, SizeIs(1));
    EXPECT_EQ(result->outputs[0].name, "y");
    EXPECT_DOUBLE_EQ(result->outputs[0].sqnrDb.value(), 20); // (3, 4) and (3.5, 4)
    EXPECT_EQ(result->outputs[0].maxAbs, 0.5);
    EXPECT_FALSE(result->outputs[0].identical);
    ASSERT_THAT(result->values, SizeIs(1));
    EXPECT_EQ(result->values[0].name, "h");
    EXPECT_TRUE(result->values[0].identical);
    EXPECT_EQ(result->values[0].sqnrDb, std::nullopt);
    EXPECT_EQ(result->bytesA, a->fileBytes);
    EXPECT_EQ(result->samples, 1);
    ASSERT_TRUE(result->latency);
    EXPECT_GE(result->latency->runs, 1);
    EXPECT_EQ(result->top1, std::nullopt);
    EXPECT_THAT(result->findings, IsEmpty());
    EXPECT_THAT(result->notes, IsEmpty());
}

TEST_F(CompareTest, SaysThatAModelIsIdenticalToItself)
{
    const auto a = network("a.onnx", 1, 1);
    const auto json = compareJson(*compare(*a, *a, {1, 2, 3, 4}));
    EXPECT_EQ(json["outputs"].dump(),
        R"([{"name":"y","sqnr_db":null,"cosine":1.0,"max_abs":0.0,"identical":true,"non_finite":0,"equal":null}])");
}

TEST_F(CompareTest, FindsOutputsBelowTheWantedSqnr)
{
    const auto a = network("a.onnx", 0, 0);
    const auto b = network("b.onnx", 0.5, 0);
    CompareOptions options;
    options.minSqnrDb = 19.5;
    EXPECT_THAT(compare(*a, *b, {1.5, 2}, options)->findings, IsEmpty());
    options.minSqnrDb = 30;
    EXPECT_THAT(compare(*a, *b, {1.5, 2}, options)->findings, ElementsAre("output 'y' is at 20 dB, 30 dB are wanted"));
    EXPECT_THAT(compare(*a, *a, {1.5, 2}, options)->findings, IsEmpty());
    EXPECT_THAT(
        compare(*a, *b, {0, 0}, options)->findings, ElementsAre("output 'y' has no finite SQNR, 30 dB are wanted"));
}

TEST_F(CompareTest, GivesTheSameNumbersOnAnyNumberOfThreads)
{
    const auto a = network("a.onnx", 0, 0);
    const auto b = network("b.onnx", 0.1F, 0.3F);
    std::vector<float> rows;
    for (int i = 0; i < 400; ++i)
        rows.push_back(1.0F / static_cast<float>(i + 1));
    std::vector<std::string> documents;
    for (const int threads : {1, 2, 5}) {
        auto json = compareJson(*compare(*a, *b, rows, {"", {}, threads}));
        json.erase("latency_ms");
        documents.push_back(json.dump());
    }
    EXPECT_EQ(documents[0], documents[1]);
    EXPECT_EQ(documents[0], documents[2]);
}

TEST_F(CompareTest, MeasuresTop1OfBothWithLabels)
{
    const auto a = network("a.onnx", 0, 0);
    const auto b = network("b.onnx", 10, 0); // always the first class
    const auto result = compare(*a, *b, {2, 1, 1, 2, 2, 1, 1, 2}, {"labels", {}, 1}, {0, 1, 1, 1});
    ASSERT_TRUE(result) << result.error().line();
    ASSERT_TRUE(result->top1);
    EXPECT_EQ(result->top1->a, 0.75);
    EXPECT_EQ(result->top1->b, 0.25);
    EXPECT_EQ(result->top1->agreement, 0.5);
    EXPECT_EQ(result->top1->samples, 4);
}

TEST_F(CompareTest, RefusesLabelsThatDoNotFit)
{
    const auto a = network("a.onnx", 0, 0);
    EXPECT_EQ(compare(*a, *a, {1, 2, 3, 4}, {"labels", {}, 1}, {0, 1, 1}).error().line(),
        "labels do not fit the predictions: labels: 3 labels for 2 predictions");
    EXPECT_EQ(compare(*a, *a, {1, 2, 3, 4}, {"x", {}, 1}, {0, 1}).error().line(),
        "labels are not integers: x: give class numbers as an integer array with one entry per prediction");
}

TEST_F(CompareTest, StopsAtInputsThatDoNotCorrespond)
{
    const auto a = network("a.onnx", 0, 0);
    const auto b = SmallNetwork().input("z").node("Relu", {"z"}, "y").output("y").write(m_folder, "b.onnx");
    const auto result = compare(*a, *b, {1, 2});
    ASSERT_TRUE(result) << result.error().line();
    EXPECT_THAT(result->findings, ElementsAre("B has no input 'x'", "A has no input 'z'"));
    EXPECT_THAT(result->outputs, IsEmpty());
    EXPECT_FALSE(result->latency);
}

TEST_F(CompareTest, PairsOutputsOfOtherNamesByOrder)
{
    const auto a = network("a.onnx", 0, 0);
    const auto b = network("b.onnx", 0.5, 0, "renamed");
    const auto result = compare(*a, *b, {1.5, 2});
    ASSERT_TRUE(result) << result.error().line();
    EXPECT_EQ(result->outputs.at(0).maxAbs, 0.5);
    EXPECT_THAT(result->findings, IsEmpty());
    ASSERT_THAT(result->notes, SizeIs(1));
    EXPECT_EQ(result->notes[0].text, "output 'y' of A is compared with output 'renamed' of B, by their order");
}

TEST_F(CompareTest, FindsOutputsThatOnlyOneModelHas)
{
    const auto a = network("a.onnx", 0, 0);
    const auto b = SmallNetwork()
                       .input("x")
                       .node("Abs", {"x"}, "more")
                       .node("Relu", {"x"}, "y")
                       .output("more")
                       .output("y")
                       .write(m_folder, "b.onnx");
    EXPECT_THAT(compare(*a, *b, {1, 2})->findings, ElementsAre("A has no output for 'more'"));
    EXPECT_THAT(compare(*b, *a, {1, 2})->findings, ElementsAre("B has no output for 'more'"));
}

TEST_F(CompareTest, FindsOutputsThatAreNotFinite)
{
    const auto a = network("a.onnx", 0, 0);
    const auto result = compare(*a, *a, {std::numeric_limits<float>::infinity(), 2});
    ASSERT_TRUE(result) << result.error().line();
    EXPECT_TRUE(result->outputs[0].identical);
    EXPECT_EQ(result->outputs[0].nonFinite, 1);
    EXPECT_THAT(result->findings, ElementsAre("output 'y' has 1 elements that are not finite"));
}

TEST_F(CompareTest, OnlyNotesInnerValuesThatAreNotFiniteAlike)
{
    const auto network = [&](const std::string& file, float factor) {
        return SmallNetwork()
            .input("x")
            .weight("factor", factor, factor)
            .node("Mul", {"x", "factor"}, "scaled")
            .node("Exp", {"scaled"}, "big")
            .node("Sigmoid", {"big"}, "y")
            .output("y")
            .write(m_folder, file);
    };
    const auto a = network("a.onnx", 1);
    const auto b = network("b.onnx", 0.0078125F);
    const auto alike = compare(*a, *a, {1000, 2});
    ASSERT_TRUE(alike) << alike.error().line();
    EXPECT_THAT(alike->findings, IsEmpty());
    ASSERT_THAT(alike->notes, SizeIs(1));
    EXPECT_EQ(alike->notes[0].text, "value 'big' has 1 elements that are not finite, alike in A and B");
    EXPECT_THAT(compare(*a, *b, {1000, 2})->findings, ElementsAre("value 'big' has 1 elements that are not finite"));
}

TEST(Compare, TakesAModelWithRepeatedNodeNames)
{
    const auto model = readModel(std::string(DUO_TEST_DATA) + "/models/duplicate_names.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const auto dataset = openDataset("random:2", **model);
    ASSERT_TRUE(dataset) << dataset.error().line();
    const auto result = compareModels(**model, **model, **dataset, {});
    ASSERT_TRUE(result) << result.error().line();
    for (const ValueDifference& output : result->outputs)
        EXPECT_TRUE(output.identical) << output.name;
    EXPECT_FALSE(result->values.empty());
}

TEST(Compare, LooksAtInnerValuesOfFewSamplesAndSaysSo)
{
    const auto model = readModel(std::string(DUO_TEST_DATA) + "/models/duplicate_names.onnx");
    ASSERT_TRUE(model) << model.error().line();
    const auto few = openDataset("random:32", **model);
    ASSERT_TRUE(few) << few.error().line();
    const auto noteOf = [](const Comparison& comparison) {
        const auto found = std::ranges::find(comparison.notes, "values-of-few-samples", &Note::kind);
        return found == comparison.notes.end() ? std::string() : found->text;
    };
    EXPECT_EQ(noteOf(*compareModels(**model, **model, **few, {})), "");
    const auto many = openDataset("random:65", **model);
    ASSERT_TRUE(many) << many.error().line();
    const auto result = compareModels(**model, **model, **many, {});
    ASSERT_TRUE(result) << result.error().line();
    EXPECT_EQ(noteOf(*result), "inner values are compared on 32 of 65 samples, evenly spread");
    EXPECT_EQ(result->samples, 65);
}

} // namespace
} // namespace duo
