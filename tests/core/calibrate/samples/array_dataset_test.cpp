// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/dataset.h"

#include "tests/support/model_builder.h"
#include "tests/support/numpy_files.h"
#include "tests/support/temporary_folder.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::npy;
using test::npyRange;
using test::writeNpz;
using testing::ElementsAre;

/// One input of the given shape; -1: symbolic.
std::shared_ptr<const Model> modelWith(std::vector<std::int64_t> dims, ElementType type = ElementType::Float32)
{
    return test::ModelBuilder().input("x", std::move(dims), type).node("Relu", "r", {"x"}, {"y"}).output("y").build();
}

class ArrayDatasetTest : public testing::Test
{
protected:
    [[nodiscard]] Result<std::shared_ptr<const Dataset>> open(
        const std::string& name, const Model& model, const DatasetOptions& options = {}) const
    {
        return openDataset((m_folder / name).string(), model, options);
    }
    [[nodiscard]] std::string openError(const std::string& name, const Model& model) const
    {
        const auto dataset = open(name, model);
        return dataset ? "no error" : m_folder.withoutPath(dataset.error().line());
    }
    void writeArray(const std::string& bytes, const std::string& name = "x") const
    {
        writeNpz(m_folder / "d.npz", {{name + ".npy", bytes}});
    }
    test::TemporaryFolder m_folder;
};

TEST_F(ArrayDatasetTest, CutsAlongASymbolicFirstAxisIntoSinglePieces)
{
    writeArray(npyRange({3, 2}));
    const auto data = open("d.npz", *modelWith({-1, 2}));
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_EQ((*data)->size(), 3);
    const auto sample = (*data)->sample(1);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->at(0).name, "x");
    EXPECT_EQ(sample->at(0).dims, (std::vector<std::int64_t>{1, 2}));
    EXPECT_THAT(sample->at(0).floats(), ElementsAre(2, 3));
    EXPECT_TRUE((*data)->notes().empty());
}

/// Input x [first, 2], the first axis of any size.
std::shared_ptr<const Model> modelAlong(const std::string& first)
{
    auto model = std::make_shared<Model>(*modelWith({-1, 2}));
    model->values[model->findValue("x").index].type.shape->front().symbol = first;
    return model;
}

TEST_F(ArrayDatasetTest, SaysThatAFirstAxisLooksLikeNoBatchAndWhatToDo)
{
    writeArray(npyRange({3, 2}));
    const auto data = open("d.npz", *modelAlong("sequence_length"));
    ASSERT_TRUE(data) << data.error().line();
    ASSERT_EQ((*data)->notes().size(), 1U);
    const std::string advice = "array 'x' was cut into single entries of its first axis; where that is no batch, save "
                               "one axis more in front, array[None] (one entry per sample)";
    EXPECT_EQ((*data)->notes()[0].text,
        "the first axis of input 'x' is 'sequence_length', which looks like no batch: " + advice);
    EXPECT_EQ((*data)->sizeAdvice(), advice);
}

TEST_F(ArrayDatasetTest, OfASequenceBeforeItsBatchAnArrayIsOneSample)
{
    writeArray(npyRange({3, 1, 2}));
    auto named = std::make_shared<Model>(*modelWith({-1, 1, 2}));
    auto& shape = *named->values[named->findValue("x").index].type.shape;
    shape[0].symbol = "L";
    shape[1] = {std::nullopt, "batch"};
    auto recurrent = test::ModelBuilder()
                         .input("x", {-1, 1, 2})
                         .node("Tanh", "t", {"x"}, {"h"})
                         .node("GRU", "g", {"h", "w", "r"}, {"y"})
                         .output("y")
                         .build();
    for (const Model& model : {*named, *recurrent}) {
        const auto data = open("d.npz", model);
        ASSERT_TRUE(data) << data.error().line();
        EXPECT_EQ((*data)->size(), 1);
        EXPECT_EQ((*data)->sample(0)->at(0).dims, (std::vector<std::int64_t>{3, 1, 2}));
        ASSERT_EQ((*data)->notes().size(), 1U);
        EXPECT_EQ((*data)->notes()[0].text,
            "the first axis of input 'x' is no batch, so its array is one sample; for several save one axis more in "
            "front, one entry per sample");
    }
    writeArray(npyRange({4, 3, 1, 2}));
    EXPECT_EQ((*open("d.npz", *recurrent))->size(), 4);
}

TEST_F(ArrayDatasetTest, TakesOtherNamesOfAFirstAxisForBatches)
{
    writeArray(npyRange({3, 2}));
    for (const char* name : {"batch_size", "N", "unk__749", "batch_sequence", "left"})
        EXPECT_TRUE((*open("d.npz", *modelAlong(name)))->notes().empty()) << name;
}

TEST_F(ArrayDatasetTest, SaysNothingOfWholeSamples)
{
    writeArray(npyRange({3, 4, 2}));
    const auto data = open("d.npz", *modelAlong("frames"));
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_TRUE((*data)->notes().empty());
    EXPECT_EQ((*data)->sizeAdvice(), "");
}

TEST_F(ArrayDatasetTest, CutsIntoFixedBatchesAndReportsTheRemainder)
{
    writeArray(npyRange({5, 1}));
    const auto data = open("d.npz", *modelWith({2, 1}));
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_EQ((*data)->size(), 2);
    EXPECT_THAT((*(*data)->sample(1))[0].floats(), ElementsAre(2, 3));
    ASSERT_EQ((*data)->notes().size(), 1U);
    EXPECT_EQ((*data)->notes()[0].text, "1 entries of array 'x' fill no whole sample and are left out");
}

TEST_F(ArrayDatasetTest, TakesOneFeedPerEntryOfOneMoreAxis)
{
    writeArray(npyRange({2, 3, 1}));
    const auto data = open("d.npz", *modelWith({-1, 1}));
    ASSERT_TRUE(data) << data.error().line();
    EXPECT_EQ((*data)->size(), 2);
    EXPECT_EQ((*(*data)->sample(1))[0].dims, (std::vector<std::int64_t>{3, 1}));
    EXPECT_THAT((*(*data)->sample(1))[0].floats(), ElementsAre(3, 4, 5));
}

TEST_F(ArrayDatasetTest, WidensInt32ToInt64Only)
{
    writeArray(npy<std::int32_t>({2}, {-7, 5}));
    const auto data = open("d.npz", *modelWith({-1}, ElementType::Int64));
    ASSERT_TRUE(data) << data.error().line();
    const auto sample = (*data)->sample(0);
    std::int64_t value = 0;
    std::memcpy(&value, sample->at(0).bytes.data(), sizeof(value));
    EXPECT_EQ(value, -7);

    writeArray(npy<double>({2}, {1, 2}));
    EXPECT_EQ(openError("d.npz", *modelWith({-1})),
        "array has another type than the input: DIR/d.npz: array 'x': it is float64; save array.astype('float32')");
}

TEST_F(ArrayDatasetTest, ServesASingleInputFromAnUnnamedArray)
{
    m_folder.write("samples.npy", npyRange({3, 2}));
    EXPECT_EQ((*open("samples.npy", *modelWith({-1, 2})))->size(), 3);
    writeArray(npyRange({3, 2}), "arr_0");
    EXPECT_EQ((*open("d.npz", *modelWith({-1, 2})))->size(), 3);
}

TEST_F(ArrayDatasetTest, NamesArraysThatFeedNoInputUnlessTheyAreWanted)
{
    writeNpz(m_folder / "d.npz",
        {{"x.npy", npyRange({2, 1})}, {"mark.npy", npy<std::int64_t>({2}, {4, 7})}, {"id.npy", npyRange({2})}});
    const auto model = modelWith({-1, 1});
    EXPECT_EQ((*open("d.npz", *model))->notes()[0].text, "no input of the model is named 'id', 'mark'");
    DatasetOptions options;
    options.arrays = {"mark"};
    const auto data = open("d.npz", *model, options);
    EXPECT_EQ((*data)->notes()[0].text, "no input of the model is named 'id'");
    const auto labels = (*data)->array("mark");
    ASSERT_TRUE(labels);
    EXPECT_EQ(labels->type, ElementType::Int64);
    EXPECT_EQ(labels->bytes.size(), 16U);
    EXPECT_EQ(m_folder.withoutPath((*data)->array("nope").error().line()),
        "there is no array 'nope': DIR/d.npz: it holds 'x', 'mark', 'id'");
}

TEST_F(ArrayDatasetTest, SaysWhyAnArrayDoesNotFit)
{
    writeArray(npyRange({4, 3}));
    EXPECT_EQ(openError("d.npz", *modelWith({-1, 2})),
        "array does not fit the input: DIR/d.npz: array 'x': its shape is [4, 3], input 'x' takes [N, 2] or one more "
        "axis in front");
    EXPECT_EQ(openError("d.npz", *modelWith({8, 3})),
        "array holds no whole sample: DIR/d.npz: array 'x': it has 4 entries, input 'x' takes 8 at once");
    writeArray(npyRange({4, 3}), "y");
    EXPECT_EQ(openError("d.npz", *modelWith({-1, 3})),
        "there is no array 'x': DIR/d.npz: it holds 'y'; every model input needs an array of its name");
}

TEST_F(ArrayDatasetTest, RefusesInputsWithDifferentNumbersOfSamples)
{
    const auto model = test::ModelBuilder()
                           .input("a", {-1})
                           .input("b", {-1})
                           .node("Add", "add", {"a", "b"}, {"y"})
                           .output("y")
                           .build();
    writeNpz(m_folder / "d.npz", {{"a.npy", npyRange({3})}, {"b.npy", npyRange({2})}});
    EXPECT_EQ(openError("d.npz", *model),
        "arrays hold different numbers of samples: DIR/d.npz: 'a' holds 3, 'b' 2; where the first axis of one is no "
        "batch, "
        "save it with one axis more in front, array[None] (one entry per sample)");
    m_folder.write("set/a.npy", npyRange({3}));
    m_folder.write("set/b.npy", npyRange({3}));
    EXPECT_EQ((*open("set", *model))->size(), 3);
}

/// A stretch of speech and the state in front of it.
TEST_F(ArrayDatasetTest, TakesASequenceWholeBesideArraysOfOneSample)
{
    test::ModelBuilder builder;
    builder.input("x", {-1, 2}).input("h", {1, 2}).node("Add", "add", {"x", "h"}, {"y"}).output("y");
    Model model = *builder.build();
    model.values[model.findValue("x").index].type.shape->front().symbol = "seq_len";
    writeNpz(m_folder / "d.npz", {{"x.npy", npyRange({5, 2})}, {"h.npy", npyRange({1, 2})}});
    const auto data = open("d.npz", model);
    ASSERT_TRUE(data) << data.error().line();
    ASSERT_EQ((*data)->size(), 1);
    EXPECT_EQ((*(*data)->sample(0))[0].dims, (std::vector<std::int64_t>{5, 2}));
    ASSERT_EQ((*data)->notes().size(), 1U);
    EXPECT_EQ((*data)->notes()[0].kind, "one-sequence");
}

TEST_F(ArrayDatasetTest, JoinsTheFilesOfAFolderInNaturalOrder)
{
    m_folder.write("s/part10.npy", npy<float>({1, 1}, {10}));
    m_folder.write("s/part9.npy", npy<float>({2, 1}, {8, 9}));
    const auto data = open("s", *modelWith({-1, 1}));
    ASSERT_TRUE(data) << data.error().line();
    ASSERT_EQ((*data)->size(), 3);
    EXPECT_THAT((*(*data)->sample(0))[0].floats(), ElementsAre(8));
    EXPECT_THAT((*(*data)->sample(1))[0].floats(), ElementsAre(9));
    EXPECT_THAT((*(*data)->sample(2))[0].floats(), ElementsAre(10));
}

TEST_F(ArrayDatasetTest, JoinsOtherArraysOfTheFilesToo)
{
    std::filesystem::create_directory(m_folder / "s");
    writeNpz(m_folder / "s/1.npz", {{"x.npy", npyRange({1, 1})}, {"label.npy", npy<std::int64_t>({}, {3})}});
    writeNpz(m_folder / "s/2.npz", {{"x.npy", npyRange({1, 1})}, {"label.npy", npy<std::int64_t>({}, {5})}});
    const auto data = open("s", *modelWith({-1, 1}));
    ASSERT_TRUE(data) << data.error().line();
    const auto labels = (*data)->array("label");
    ASSERT_TRUE(labels) << labels.error().line();
    EXPECT_EQ(labels->dims, (std::vector<std::int64_t>{2}));
}

TEST_F(ArrayDatasetTest, SaysThatAFolderHoldsNothing)
{
    m_folder.write("empty/readme.txt", "x");
    EXPECT_EQ(openError("empty", *modelWith({-1})),
        "folder holds no data: DIR/empty: put .npz, .npy, .png or .jpg files into it, or ONNX test data (input_0.pb)");
}

} // namespace
} // namespace duo
