// SPDX-License-Identifier: Apache-2.0
// Whatever is written, and whichever step of it fails or is the last before a kill.
#include "core/calibrate/collect_statistics.h"
#include "core/formats/write_npy.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "core/state/statistics_cache.h"

#include "tests/core/calibrate/digits_test.h"
#include "tests/support/failing_disk.h"
#include "tests/support/file_bytes.h"
#include "tests/support/same_statistics.h"
#include "tests/support/temporary_folder.h"

#include <array>

#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;

constexpr int kFewest = 20; // faults of one write of one file

class WriteFaults : public DigitsTest
{
protected:
    /// @param old names of files that are there before
    void prepare(const std::vector<std::string>& old) const
    {
        std::filesystem::remove_all(m_folder.path());
        std::filesystem::create_directories(m_folder.path());
        for (const std::string& name : old)
            m_folder.write(name, "old " + name);
    }

    int expectWhole(const std::vector<std::string>& old, const std::function<Status()>& write, bool isTold = true) const
    {
        return expectWholeWhateverFails({[&, this] { prepare(old); }, write, m_folder.path(), isTold});
    }

    [[nodiscard]] StatisticsFile statistics() const
    {
        Measurement wanted;
        wanted.values = {"image", "logits"};
        auto measured = collectStatistics(*m_model, wanted, *m_data, {0, 4}, 1, {});
        EXPECT_TRUE(measured);
        StatisticsFile file;
        file.origin = {{"graph", "weights"}, "data", "engine", 4};
        file.statistics = *std::move(measured);
        return file;
    }

    TemporaryFolder m_folder;
};

TEST_F(WriteFaults, LeaveModelDataAndStateOfAnExportAllOldOrAllNew)
{
    const auto opened = openSnapshot(std::string(DUO_TEST_DATA) + "/models/external/external.onnx");
    ASSERT_TRUE(opened) << opened.error().line();
    Recipe recipe;
    recipe.rules.rules.emplace_back(); // an ignored node keeps its weight, and that its place outside the file
    recipe.rules.rules.front().kind = RuleKind::Type;
    recipe.rules.rules.front().value = "Conv";
    const auto planned = withRecipe(*opened, recipe);
    ASSERT_TRUE(planned) << planned.error().line();
    const auto data = openDataset("random:2:1", *planned->model);
    ASSERT_TRUE(data) << data.error().line();
    const auto compression = calibrate(*planned, **data, 1, {});
    ASSERT_TRUE(compression) << compression.error().line();
    const auto write = [&]() -> Status {
        DUO_TRY(report, exportModel(*planned, *compression, nullptr, m_folder / "m.onnx", 1, {}));
        EXPECT_EQ(report.files.size(), 3U);
        return success();
    };
    EXPECT_GT(expectWhole({"m.onnx", "m.onnx.data", "m.state.json"}, write), 5 * kFewest);
}

TEST_F(WriteFaults, LeaveStatisticsWhole)
{
    const StatisticsFile file = statistics();
    EXPECT_GT(expectWhole({"s"}, [&] { return writeStatistics(file, m_folder / "s"); }), kFewest);
}

TEST_F(WriteFaults, LeaveTheCacheWithoutTheEntryOrWithAllOfIt)
{
    const StatisticsFile file = statistics();
    const StatisticsCache cache(m_folder / "cache");
    const auto store = [&]() -> Status {
        cache.store("key:1", file);
        const auto found = cache.find("key:1");
        EXPECT_TRUE(!found || test::isSame(found->statistics, file.statistics));
        return success();
    };
    EXPECT_GT(expectWhole({}, store, false), kFewest);
}

TEST_F(WriteFaults, LeaveASavedTensorWhole)
{
    const std::array<float, 6> numbers{1, 2, 3, 4, 5, 6};
    Tensor tensor;
    tensor.type = ElementType::Float32;
    tensor.dims = {2, 3};
    tensor.data = {nullptr, std::as_bytes(std::span(numbers))};
    EXPECT_GT(expectWhole({"t.npy"}, [&] { return writeNpy(tensor, m_folder / "t.npy", {}); }), kFewest);
}

} // namespace
} // namespace duo
