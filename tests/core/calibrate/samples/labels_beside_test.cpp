// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/labels_beside.h"

#include "core/analysis/found_accuracy.h"
#include "tests/support/model_builder.h"
#include "tests/support/numpy_files.h"
#include "tests/support/temporary_folder.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::npy;
using test::npyRange;
using test::writeNpz;
using testing::ElementsAre;
using testing::HasSubstr;

class LabelsBesideTest : public testing::Test
{
protected:
    /// "array 'labels' of d.npz"; "": none; several are parted by "; ".
    [[nodiscard]] std::string found(const std::string& data) const
    {
        const FoundLabels labels = findLabels((m_folder / data).string(), *m_model);
        std::string text = labels.labels ? labels.labels->text() : "";
        for (const std::string& each : labels.several)
            text += (text.empty() ? "" : "; ") + each;
        return text;
    }
    void writeFile(const std::string& name, const std::string& bytes) const
    {
        std::ofstream(m_folder / name, std::ios::binary) << bytes;
    }
    [[nodiscard]] static std::string classes() { return npy<std::int64_t>({3}, {0, 1, 1}); }

    test::TemporaryFolder m_folder;
    std::shared_ptr<const Model> m_model
        = test::ModelBuilder().input("x", {-1, 2}).node("Relu", "r", {"x"}, {"y"}).output("y").build();
};

TEST_F(LabelsBesideTest, AreAnArrayOfTheDataWithAKnownName)
{
    for (const char* name : {"labels", "Label", "y_true", "targets", "y"}) {
        writeNpz(m_folder / "d.npz", {{"x.npy", npyRange({3, 2})}, {std::string(name) + ".npy", classes()}});
        EXPECT_EQ(found("d.npz"), "array '" + std::string(name) + "' of d.npz");
    }
}

TEST_F(LabelsBesideTest, AreAFileNamedAfterTheData)
{
    writeNpz(m_folder / "d.npz", {{"x.npy", npyRange({3, 2})}});
    std::filesystem::create_directory(m_folder / "images");
    writeFile("d_labels.npy", classes());
    writeFile("images.labels.npy", npy<std::uint8_t>({3, 1}, {0, 1, 1}));
    EXPECT_EQ(found("d.npz"), "file d_labels.npy");
    EXPECT_EQ(found("images"), "file images.labels.npy");
    EXPECT_EQ(found("images/"), "file images.labels.npy");
    const auto dataset = openDataset((m_folder / "d.npz").string(), *m_model);
    ASSERT_TRUE(dataset);
    const auto labels = readLabels(*findLabels((m_folder / "d.npz").string(), *m_model).labels, **dataset);
    ASSERT_TRUE(labels) << labels.error().line();
    EXPECT_EQ(labels->dims, std::vector<std::int64_t>{3});
}

TEST_F(LabelsBesideTest, AreWhatAllArchivesOfAFolderHold)
{
    std::filesystem::create_directory(m_folder / "all");
    writeNpz(m_folder / "all" / "a.npz", {{"x.npy", npyRange({3, 2})}, {"labels.npy", classes()}});
    writeNpz(m_folder / "all" / "b.npz", {{"x.npy", npyRange({3, 2})}, {"labels.npy", classes()}});
    EXPECT_EQ(found("all"), "array 'labels' of all");
    writeNpz(m_folder / "all" / "c.npz", {{"x.npy", npyRange({3, 2})}});
    EXPECT_EQ(found("all"), "");
}

TEST_F(LabelsBesideTest, AreNoInputNoRowsAndNoFractions)
{
    writeNpz(m_folder / "d.npz",
        {{"x.npy", npyRange({3, 2})}, {"labels.npy", npyRange({3})},
            {"targets.npy", npy<std::int64_t>({3, 2}, {0, 1, 2, 3, 4, 5})},
            {"classes.npy", npy<std::int64_t>({0}, {})}});
    EXPECT_EQ(found("d.npz"), "");
    const auto fed = test::ModelBuilder()
                         .input("labels", {-1}, ElementType::Int64)
                         .node("Identity", "i", {"labels"}, {"y"})
                         .output("y")
                         .build();
    writeNpz(m_folder / "e.npz", {{"labels.npy", classes()}});
    EXPECT_FALSE(findLabels((m_folder / "e.npz").string(), *fed).labels);
    EXPECT_FALSE(findLabels("random:4", *m_model).labels);
    EXPECT_FALSE(findLabels((m_folder / "absent.npz").string(), *m_model).labels);
}

TEST_F(LabelsBesideTest, OfSeveralNoneIsTakenAndAllAreNamed)
{
    writeNpz(m_folder / "d.npz", {{"x.npy", npyRange({3, 2})}, {"labels.npy", classes()}});
    writeFile("d.labels.npy", classes());
    EXPECT_EQ(found("d.npz"), "array 'labels' of d.npz; file d.labels.npy");
    const auto note = severalLabelsNote(findLabels((m_folder / "d.npz").string(), *m_model));
    ASSERT_TRUE(note);
    EXPECT_EQ(note->text,
        "several labels lie with the data, and none is used: array 'labels' of d.npz, file d.labels.npy; name the "
        "array "
        "that is meant");
}

TEST_F(LabelsBesideTest, AreNoUnusedArray)
{
    writeNpz(
        m_folder / "d.npz", {{"x.npy", npyRange({3, 2})}, {"labels.npy", classes()}, {"other.npy", npyRange({3})}});
    const auto dataset = openDataset((m_folder / "d.npz").string(), *m_model);
    ASSERT_TRUE(dataset);
    ASSERT_EQ((*dataset)->notes().size(), 1U);
    EXPECT_EQ((*dataset)->notes().front().text, "no input of the model is named 'other'");
}

/// Predictions of samples whose first element is larger are class 0, of others class 1.
class FoundAccuracyTest : public LabelsBesideTest
{
protected:
    [[nodiscard]] FoundAccuracy::Answer answer(
        const std::vector<std::int64_t>& labels, const std::vector<int>& answers) const
    {
        const auto count = static_cast<std::int64_t>(labels.size());
        writeNpz(m_folder / "d.npz",
            {{"x.npy", npyRange({static_cast<std::int64_t>(answers.size()), 2})},
                {"labels.npy", npy<std::int64_t>({count}, labels)}});
        const std::string spec = (m_folder / "d.npz").string();
        const auto dataset = openDataset(spec, *m_model);
        EXPECT_TRUE(dataset);
        FoundAccuracy accuracy(*findLabels(spec, *m_model).labels, **dataset, (*dataset)->size());
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const std::vector<float> row{answers[i] == 0 ? 1.0F : 0.0F, answers[i] == 0 ? 0.0F : 1.0F};
            const TensorView view{"y", ElementType::Float32, {1, 2}, std::as_bytes(std::span(row))};
            accuracy.add(static_cast<std::int64_t>(i), view, view);
        }
        return accuracy.finish();
    }
};

TEST_F(FoundAccuracyTest, SaysWhichLabelsWereTaken)
{
    const auto result = answer({0, 1, 0, 1, 0, 1, 0, 1}, {0, 1, 0, 1, 0, 1, 0, 0});
    ASSERT_TRUE(result.top1) << result.note.text;
    EXPECT_EQ(result.top1->a, 0.875);
    EXPECT_EQ(result.note.text,
        "accuracy is by labels found with the data, array 'labels' of d.npz (\"none\" for labels leaves them out)");
}

TEST_F(FoundAccuracyTest, LabelsThatTellNothingAreSaidAndFailNothing)
{
    const std::string begin = "labels found with the data, array 'labels' of d.npz, are not used: ";
    const auto why = [&](const std::vector<std::int64_t>& labels, const std::vector<int>& answers) {
        const auto result = answer(labels, answers);
        EXPECT_FALSE(result.top1);
        EXPECT_EQ(result.note.text.substr(0, begin.size()), begin);
        return result.note.text.substr(std::min(begin.size(), result.note.text.size()));
    };
    EXPECT_EQ(why({0, 1, 1}, {0, 1}), "they are 3 for 2 samples");
    EXPECT_EQ(why({0, 0}, {0, 0}), "they are all of one class");
    EXPECT_EQ(why({0, 1, 0, 1}, {1, 0, 0, 1}), "the float model is right no more often than by chance");
    EXPECT_EQ(why({7, 8}, {1, 0}), "no label is one of the model's classes");
}

} // namespace
} // namespace duo
