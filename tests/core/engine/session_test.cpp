// SPDX-License-Identifier: Apache-2.0
#include "core/engine/session.h"

#include "core/engine/engine_process.h"
#include "core/support/file.h"
#include "core/support/parallel.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;

const std::filesystem::path kModels = std::filesystem::path(DUO_TEST_DATA) / "models";
const std::filesystem::path kHostile = std::filesystem::path(DUO_TEST_DATA) / "hostile";

/// `image` [batch, 3, 16, 16] to `logits` [batch, 10].
Session smallNetwork(const SessionOptions& options = {})
{
    auto session = Session::openFile(kModels / "opset13.onnx", options);
    if (!session)
        ADD_FAILURE() << session.error().line();
    return *std::move(session);
}

HostTensor imageFeed(std::int64_t batch = 1, float value = 0.5F)
{
    HostTensor feed{"image", ElementType::Float32, {batch, 3, 16, 16}, {}};
    const std::vector<float> values(static_cast<std::size_t>(batch) * 768, value);
    feed.bytes.resize(values.size() * sizeof(float));
    std::memcpy(feed.bytes.data(), values.data(), feed.bytes.size());
    return feed;
}

TEST(Session, TellsItsPorts)
{
    const Session session = smallNetwork();
    ASSERT_EQ(session.inputs().size(), 1U);
    EXPECT_EQ(session.inputs()[0].name, "image");
    EXPECT_EQ(session.inputs()[0].type, ElementType::Float32);
    EXPECT_THAT(session.inputs()[0].dims, ElementsAre(-1, 3, 16, 16));
    EXPECT_THAT(session.inputs()[0].symbols, ElementsAre("batch", "", "", ""));
    EXPECT_EQ(session.outputs()[0].name, "logits");
}

TEST(Session, RunsAnyBatch)
{
    const Session session = smallNetwork();
    const HostTensor feed = imageFeed(3);
    const auto results = session.run({&feed, 1}, {});
    ASSERT_TRUE(results) << results.error().line();
    ASSERT_EQ(results->size(), 1U);
    EXPECT_EQ(results->at(0).name, "logits");
    EXPECT_THAT(results->at(0).dims, ElementsAre(3, 10));
    EXPECT_EQ(results->at(0).floats().size(), 30U);
}

TEST(Session, GivesTheSameBytesOnAnyNumberOfThreads)
{
    const HostTensor feed = imageFeed(4, 0.25F);
    const auto one = smallNetwork().run({&feed, 1}, {});
    const auto two = smallNetwork({.threads = 2}).run({&feed, 1}, {});
    ASSERT_TRUE(one && two);
    EXPECT_EQ(one->at(0).bytes, two->at(0).bytes);
}

TEST(Session, RunsFromSeveralThreadsAtOnce)
{
    const Session session = smallNetwork();
    std::vector<std::vector<std::byte>> results(16);
    const HostTensor feed = imageFeed();
    const auto status = parallelFor(results.size(), 4, {}, [&](std::size_t i) -> Status {
        DUO_TRY(outputs, session.run({&feed, 1}, {}));
        results[i] = outputs[0].bytes;
        return success();
    });
    ASSERT_TRUE(status) << status.error().line();
    EXPECT_THAT(results, testing::Each(results[0]));
}

TEST(Session, RefusesAFeedThatDoesNotFit)
{
    const Session session = smallNetwork();
    HostTensor feed = imageFeed();
    feed.bytes.pop_back();
    EXPECT_EQ(session.run({&feed, 1}, {}).error().line(), "bytes do not fit the shape of a feed: image");
    feed = imageFeed();
    feed.name = "picture";
    EXPECT_EQ(
        session.run({&feed, 1}, {}).error().line(), "the engine cannot run the model: Invalid input name: picture");
    feed = imageFeed();
    feed.type = ElementType::String;
    EXPECT_EQ(session.run({&feed, 1}, {}).error().line(),
        "input has elements of a type that cannot be run here: image: type is string; only tensors of numbers are "
        "supported");
}

TEST(Session, AStoppedRunIsCancelled)
{
    const Session session = smallNetwork();
    std::stop_source stop;
    stop.request_stop();
    const HostTensor feed = imageFeed();
    const auto results = session.run({&feed, 1}, {}, JobContext{stop.get_token(), {}});
    ASSERT_FALSE(results);
    EXPECT_EQ(results.error(), cancelledError());
    EXPECT_TRUE(session.run({&feed, 1}, {})) << "the session lives on";
}

TEST(Session, AnErrorOfTheVisitorEndsTheVisit)
{
    const Session session = smallNetwork();
    const HostTensor feed = imageFeed();
    const Error refused{ErrorCode::BadData, "refused", {}, {}};
    const auto status
        = session.runVisiting({&feed, 1}, {}, [&](std::size_t, const TensorView&) -> Status { return refused; });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error(), refused);
}

TEST(Session, SaysInOneLineWhyAModelCannotBeLoaded)
{
    const auto junk = Session::openBytes(std::as_bytes(std::span("hello", 5)), {});
    ASSERT_FALSE(junk);
    EXPECT_EQ(junk.error().code, ErrorCode::EngineFailed);
    EXPECT_EQ(
        junk.error().line(), "the engine cannot load the model: Failed to load model because protobuf parsing failed");
    const auto unknown = Session::openFile(kHostile / "unknown_operator.onnx", {});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().where, (kHostile / "unknown_operator.onnx").string());
    EXPECT_EQ(unknown.error().line().find('\n'), std::string::npos);
}

TEST(Session, ReadsExternalDataFromTheFilesItIsGiven)
{
    const auto file = MappedFile::open(kModels / "external" / "external.onnx");
    const auto first = MappedFile::open(kModels / "external" / "first.bin");
    const auto second = MappedFile::open(kModels / "external" / "second.bin");
    ASSERT_TRUE(file && first && second);
    const auto session = Session::openBytes((*file)->bytes(),
        {.externalData = {{"first.bin", {*first, (*first)->bytes()}}, {"second.bin", {*second, (*second)->bytes()}}}});
    ASSERT_TRUE(session) << session.error().line();
    const HostTensor feed = imageFeed();
    EXPECT_TRUE(session->run({&feed, 1}, {}));
}

TEST(Session, NeedsExternalDataOnlyWhileItIsOpened)
{
    test::ProtoBuilder network;
    network.input("x", {64, 64}).output("y", {64, 64}).external("w", {64, 64}, "w.bin");
    network.node("MatMul", "product", {"x", "w"}, {"p"});
    network.node("Add", "sum", {"p", "w"}, {"y"});
    std::vector<float> weights(64 * 64, 0.5F);
    const auto session = Session::openBytes(
        network.bytes().bytes, {.externalData = {{"w.bin", {nullptr, std::as_bytes(std::span(weights))}}}});
    ASSERT_TRUE(session) << session.error().line();
    std::fill(weights.begin(), weights.end(), 0.0F);
    HostTensor feed{"x", ElementType::Float32, {64, 64}, std::vector<std::byte>(64 * 64 * sizeof(float))};
    const auto results = session->run({&feed, 1}, {});
    ASSERT_TRUE(results) << results.error().line();
    EXPECT_EQ(results->front().floats()[0], 0.5F);
}

TEST(Session, WritesTheOptimizedModel)
{
    const test::TemporaryFolder folder;
    smallNetwork({.optimization = Optimization::Extended, .optimizedModel = folder / "optimized.onnx"});
    EXPECT_TRUE(std::filesystem::exists(folder / "optimized.onnx"));
}

TEST(Session, WritesNothingToTheTerminal)
{
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    (void)Session::openFile(kHostile / "unknown_operator.onnx", {});
    (void)Session::openBytes(std::as_bytes(std::span("hello", 5)), {});
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Session, LeavesNoTraceInTheUsersCache)
{
    // The upstream Linux builds keep a device id and a store of usage events there unless told not to.
    const test::TemporaryFolder cache;
    ::setenv("XDG_CACHE_HOME", cache.path().c_str(), 1);
    endIdleEngines(); // which have the variable as it was
    const Session session = smallNetwork();
    const HostTensor feed = imageFeed();
    EXPECT_TRUE(session.run({&feed, 1}, {}));
    EXPECT_TRUE(std::filesystem::is_empty(cache.path()));
}

} // namespace
} // namespace duo
