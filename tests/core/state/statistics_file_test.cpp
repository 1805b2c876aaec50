// SPDX-License-Identifier: Apache-2.0
#include "core/state/statistics_file.h"

#include "core/calibrate/collect_statistics.h"
#include "core/state/safe_arrays.h"
#include "core/state/statistics_cache.h"
#include "core/support/leftovers.h"
#include "tests/core/calibrate/digits_test.h"
#include "tests/support/same_statistics.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

namespace duo {
namespace {

/// The digits network, measured on some of its samples.
class StatisticsFileTest : public test::DigitsTest
{
protected:
    [[nodiscard]] StatisticsFile measured(SampleSpan span, int threads = 1) const
    {
        Measurement wanted;
        wanted.values = {"image", "logits"};
        wanted.channelAxes = {{"image", 1}, {"logits", -1}};
        auto statistics = collectStatistics(*m_model, wanted, *m_data, span, threads, {});
        EXPECT_TRUE(statistics);
        StatisticsFile file;
        file.origin = {{"graph", "weights"}, "data", "engine", 20};
        file.statistics = *std::move(statistics);
        return file;
    }
};

std::string errorOf(const std::vector<std::byte>& bytes)
{
    const auto read = parseStatistics(bytes, "f");
    return read ? std::string() : read.error().line();
}

std::vector<std::byte> replaced(const std::vector<std::byte>& bytes, std::string_view from, std::string_view to)
{
    std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    text.replace(text.find(from), from.size(), to);
    std::vector<std::byte> result(text.size());
    std::memcpy(result.data(), text.data(), text.size());
    return result;
}

TEST_F(StatisticsFileTest, SurvivesTheRoundTripExactly)
{
    const StatisticsFile file = measured({3, 9});
    const auto bytes = statisticsBytes(file);
    const auto read = parseStatistics(bytes, "f");
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_EQ(read->origin, file.origin);
    EXPECT_TRUE(test::isSame(read->statistics, file.statistics));
    EXPECT_EQ(statisticsBytes(*read), bytes);
    EXPECT_EQ(read->statistics.spans.front(), (SampleSpan{3, 9}));
}

TEST_F(StatisticsFileTest, IsTheSameBytesForAnyShardsAndThreads)
{
    const auto whole = statisticsBytes(measured({0, 20}));
    for (const std::int64_t shards : {1, 2, 4, 7}) {
        std::vector<StatisticsFile> files;
        std::vector<std::filesystem::path> names;
        for (std::int64_t i = 0; i < shards; ++i) {
            files.push_back(measured(shardOf(20, (i + 1) % shards, shards), shards % 2 == 0 ? 2 : 1));
            names.push_back("shard" + std::to_string(i));
        }
        const auto merged = mergedStatisticsFiles(std::move(files), names);
        ASSERT_TRUE(merged) << merged.error().line();
        EXPECT_EQ(statisticsBytes(*merged), whole) << shards;
    }
}

TEST_F(StatisticsFileTest, RefusesPartsOfOtherModelsAndData)
{
    const auto merge = [](const StatisticsFile& a, const StatisticsFile& b) {
        return mergedStatisticsFiles({a, b}, {"a", "b"}).error().line();
    };
    const StatisticsFile first = measured({0, 10});
    StatisticsFile other = measured({10, 10});
    other.origin.model.weights = "trained";
    EXPECT_EQ(merge(first, other),
        "statistics of another model than in the first file: b: merge the shards of one run, each once");
    other = measured({10, 10});
    other.origin.data = "others";
    EXPECT_EQ(merge(first, other),
        "statistics of other data than in the first file: b: merge the shards of one run, each once");
    EXPECT_EQ(merge(first, first), "sample 0 is in a too: b: merge the shards of one run, each once");
    EXPECT_EQ(merge(measured({5, 10}), first), "sample 5 is in b too: a: merge the shards of one run, each once");
}

TEST_F(StatisticsFileTest, RefusesWhatIsCutOffOrChanged)
{
    const auto bytes = statisticsBytes(measured({0, 2}));
    EXPECT_EQ(errorOf({}), "not a file of arrays: f: write the file again");
    for (const std::size_t size : {std::size_t{4}, std::size_t{12}, bytes.size() / 2, bytes.size() - 1}) {
        const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        EXPECT_NE(errorOf(cut), "") << size;
    }
    auto changed = bytes;
    changed.back() ^= std::byte{1};
    EXPECT_EQ(errorOf(changed), "cut off or changed since it was written: f: write the file again");
    auto longer = bytes;
    longer.resize(bytes.size() + 8);
    EXPECT_EQ(errorOf(longer), "cut off or changed since it was written: f: write the file again");
    EXPECT_EQ(errorOf(replaced(bytes, "\"graph_hash\":\"graph\"", "\"graph_hash\":\"grahp\"")),
        "cut off or changed since it was written: f: write the file again");
}

TEST_F(StatisticsFileTest, ReadingHearsStop)
{
    std::stop_source stop;
    stop.request_stop();
    const auto read = parseStatistics(statisticsBytes(measured({0, 2})), "f", JobContext{stop.get_token(), {}});
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::Cancelled);
}

TEST_F(StatisticsFileTest, RefusesNumbersThatCannotHaveBeenMeasured)
{
    StatisticsFile file = measured({0, 2});
    file.statistics.values.at("image").elements += 1;
    EXPECT_EQ(errorOf(statisticsBytes(file)),
        "'v:image' has a histogram that does not hold all elements: f: write the statistics again");
    file = measured({0, 2});
    file.statistics.values.at("image").samples.min.pop_back();
    EXPECT_EQ(errorOf(statisticsBytes(file)),
        "array 'v:image/samples' has another type or shape than it should: f: write the file again");
    file = measured({0, 2});
    file.statistics.spans = {{5, 1}, {5, 1}};
    EXPECT_EQ(errorOf(statisticsBytes(file)), "samples that cannot be: f: write the statistics again");
    file = measured({0, 2});
    file.statistics.values.at("image").min = 7;
    EXPECT_EQ(errorOf(statisticsBytes(file)), "'v:image' has impossible extremes: f: write the statistics again");
    file = measured({0, 2});
    for (float& max : file.statistics.values.at("image").samples.max)
        max = std::numeric_limits<float>::lowest();
    EXPECT_EQ(
        errorOf(statisticsBytes(file)), "'v:image' has elements that no sample holds: f: write the statistics again");
    file = measured({0, 2});
    file.statistics.values.at("image").channels.counts[0] = -1;
    EXPECT_EQ(errorOf(statisticsBytes(file)), "'v:image' has an impossible count: f: write the statistics again");
    file = measured({0, 2});
    file.statistics.values.at("image").channels.max[0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(
        errorOf(statisticsBytes(file)), "'v:image' has a channel that is not finite: f: write the statistics again");
}

TEST_F(StatisticsFileTest, RefusesNumbersBeyondWhatCanBeCounted)
{
    SafeArrayWriter many;
    many.add<std::int64_t>("bins", {std::int64_t{1} << 60, 2}, {}); // times 8 bytes: 2^64, which no number holds
    const auto arrays = SafeArrays::parse(many.bytes({}), "f");
    ASSERT_TRUE(arrays);
    EXPECT_EQ(arrays->get<std::int64_t>("bins", {std::int64_t{1} << 60, 2}).error().line(),
        "array 'bins' has another type or shape than it should: f: write the file again");
    StatisticsFile file = measured({0, 2});
    file.statistics.values.at("image").histogram = {};
    const BinCount bins[]{{std::numeric_limits<std::int32_t>::min(), 1}};
    file.statistics.values.at("image").histogram.add(bins);
    EXPECT_EQ(errorOf(statisticsBytes(file)), "'v:image' has an impossible histogram: f: write the statistics again");
}

TEST_F(StatisticsFileTest, EveryFlippedBitIsRefusedOrChangesNothing)
{
    const StatisticsFile file = measured({0, 1});
    const auto bytes = statisticsBytes(file);
    for (std::size_t i = 0; i < bytes.size(); i += 7) {
        auto flipped = bytes;
        flipped[i] ^= std::byte{4};
        const auto read = parseStatistics(flipped, "f");
        if (read) {
            EXPECT_TRUE(test::isSame(read->statistics, file.statistics)) << i;
        }
    }
}

TEST_F(StatisticsFileTest, TheCacheFindsWhatWasStoredAndKeepsItsBounds)
{
    const test::TemporaryFolder folder;
    const StatisticsCache cache(folder.path() / "statistics");
    EXPECT_FALSE(cache.find("xxh3-128:0"));
    const StatisticsFile file = measured({0, 2});
    for (std::size_t i = 0; i < StatisticsCache::kMostFiles + 3; ++i)
        cache.store("xxh3-128:" + std::to_string(i), file);
    const auto found = cache.find("xxh3-128:" + std::to_string(StatisticsCache::kMostFiles + 2));
    ASSERT_TRUE(found);
    EXPECT_TRUE(test::isSame(found->statistics, file.statistics));
    const std::filesystem::directory_iterator files(folder.path() / "statistics");
    EXPECT_EQ(static_cast<std::size_t>(std::distance(begin(files), end(files))), StatisticsCache::kMostFiles);
    std::ofstream(folder.path() / "statistics" / "xxh3-128-broken.statistics") << "no";
    EXPECT_FALSE(cache.find("xxh3-128:broken"));
    EXPECT_FALSE(StatisticsCache("/proc/nowhere").find("k"));
    StatisticsCache("/proc/nowhere").store("k", file); // cannot be written, and nothing happens
}

TEST_F(StatisticsFileTest, TheCacheDropsWhatKilledProcessesLeft)
{
    const test::TemporaryFolder folder;
    const auto left = folder.write(".xxh3-128-1.statistics.duoscope-99", "half");
    const auto written = folder.write(".xxh3-128-2.statistics.duoscope-98", "half");
    const HeldPath atWork(written); // as a process does that writes it
    StatisticsCache(folder.path()).store("xxh3-128:3", measured({0, 2}));
    EXPECT_FALSE(std::filesystem::exists(left));
    EXPECT_TRUE(std::filesystem::exists(written));
}

TEST_F(StatisticsFileTest, DataAreKnownByNamesSizesAndHowTheyAreRead)
{
    const test::TemporaryFolder folder;
    std::ofstream(folder / "a.npy") << "12345";
    const auto digest = [&](const DatasetOptions& options, bool withTimes) {
        return dataDigest(folder.path().string(), options, withTimes);
    };
    const std::string before = digest({}, false);
    const std::string fresh = digest({}, true);
    EXPECT_EQ(before, digest({}, false));
    DatasetOptions scaled;
    scaled.mean = {0.5F};
    EXPECT_NE(before, digest(scaled, false));
    std::ofstream(folder / "b.npy") << "1";
    EXPECT_NE(before, digest({}, false));
    std::filesystem::remove(folder / "b.npy");
    EXPECT_EQ(before, digest({}, false));
    std::filesystem::last_write_time(
        folder / "a.npy", std::filesystem::last_write_time(folder / "a.npy") + std::chrono::seconds(5));
    EXPECT_EQ(before, digest({}, false));
    EXPECT_NE(fresh, digest({}, true));
    EXPECT_NE(dataDigest("random:3", {}, true), dataDigest("random:4", {}, true));
}

TEST_F(StatisticsFileTest, KeepsNothingThatWasMeasuredWithoutHistograms)
{
    StatisticsFile file = measured({0, 2});
    file.statistics.kinds.histogram = false;
    const Status written = writeStatistics(file, "never.safetensors");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().line(), "statistics without histograms cannot be kept: never.safetensors");
}

} // namespace
} // namespace duo
