// SPDX-License-Identifier: Apache-2.0
// A model with a loop that never ends.
#include "core/analysis/compare.h"
#include "core/analysis/node_times.h"
#include "core/calibrate/collect_statistics.h"
#include "core/engine/open_model.h"
#include "core/engine/run_limit.h"
#include "core/onnx/reader.h"
#include "tests/support/proto_builder.h"

#include <chrono>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

namespace duo {
namespace {

/// y = loop(x) that runs for ever.
std::shared_ptr<const Model> endlessModel()
{
    test::ProtoBuilder file;
    file.input("x").output("y");
    auto body = test::addLoop(file, std::numeric_limits<std::int64_t>::max());
    body.node("Relu", "relu", {"s"}, {"next"});
    const auto model = readModelBytes(file.bytes(), "endless.onnx");
    EXPECT_TRUE(model) << model.error().line();
    return *model;
}

/// While it lives a sample may run a second.
struct OneSecond {
    OneSecond() { limitSampleTime(std::chrono::seconds(1)); }
    ~OneSecond() { limitSampleTime(kSampleTime); }
    OneSecond(const OneSecond&) = delete;
    OneSecond& operator=(const OneSecond&) = delete;
};

TEST(SampleTime, ALoopThatNeverEndsIsOneLine)
{
    const OneSecond limit;
    const auto model = endlessModel();
    const auto data = openDataset("random:2", *model);
    ASSERT_TRUE(data) << data.error().line();
    for (const bool fetch : {false, true}) {
        Measurement wanted;
        wanted.values = {"y"};
        wanted.fetch = fetch;
        const auto statistics = collectStatistics(*model, wanted, **data, {0, 2}, 1, {});
        ASSERT_FALSE(statistics);
        EXPECT_EQ(statistics.error().line(),
            "the engine ran longer than 1 s: sample 0, fed 'x' [2]: allow more with --sample-time (in the window "
            "Quantize > Limits), or give smaller samples; a loop of the model may never end");
    }
}

TEST(SampleTime, EndsAComparisonWithTheSample)
{
    const OneSecond limit;
    const auto model = endlessModel();
    const auto data = openDataset("random:1", *model);
    ASSERT_TRUE(data) << data.error().line();
    const auto compared = compareModels(*model, *model, **data, {});
    ASSERT_FALSE(compared);
    EXPECT_EQ(compared.error().where, "sample 0, fed 'x' [2]");
}

TEST(SampleTime, IsNotTakenAgainBySamplesThatWaitedForTheFirst)
{
    const OneSecond limit;
    const auto model = endlessModel();
    const auto data = openDataset("random:2", *model);
    ASSERT_TRUE(data) << data.error().line();
    Measurement wanted;
    wanted.values = {"y"};
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(collectStatistics(*model, wanted, **data, {0, 2}, 2, {}));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(1900));
}

TEST(SampleTime, HoldsWhateverTheEngineRunsFor)
{
    const OneSecond limit;
    const auto model = endlessModel();
    const auto data = openDataset("random:1", *model);
    ASSERT_TRUE(data) << data.error().line();
    const auto feeds = (*data)->sample(0);
    ASSERT_TRUE(feeds);
    const std::string expected = "the engine ran longer than 1 s";
    const auto compared = compareModels(*model, *model, **data, {}, {});
    ASSERT_FALSE(compared);
    EXPECT_EQ(compared.error().line().substr(0, expected.size()), expected);
    const auto times = measureNodeTimes(*model, *feeds, {}, 1, {});
    ASSERT_FALSE(times);
    EXPECT_EQ(times.error().line().substr(0, expected.size()), expected);
}

TEST(SampleTime, OtherRunsOfTheEngineGoOnAfterIt)
{
    const auto model = endlessModel();
    {
        const OneSecond limit;
        const auto session = openModel(*model);
        ASSERT_TRUE(session);
        const std::vector<HostTensor> feeds{{"x", ElementType::Float32, {2}, std::vector<std::byte>(8)}};
        EXPECT_FALSE(session->run(feeds, {}));
    }
    EXPECT_TRUE(openModel(*model)) << "the engine serves the next session";
}

TEST(SampleTime, AStopComesThroughBeforeTheTimeIsOver)
{
    const auto model = endlessModel();
    const auto data = openDataset("random:1", *model);
    std::stop_source stop;
    const std::jthread presser([&] { stop.request_stop(); });
    Measurement wanted;
    wanted.values = {"y"};
    const auto statistics = collectStatistics(*model, wanted, **data, {0, 1}, 1, {stop.get_token(), {}});
    ASSERT_FALSE(statistics);
    EXPECT_EQ(statistics.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace duo
