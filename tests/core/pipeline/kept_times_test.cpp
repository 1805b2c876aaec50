// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/kept_times.h"

#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::HasSubstr;

constexpr FileStamp kStamp{1234, 5678, 0};

std::shared_ptr<const Model> model(const std::string& last = "Relu")
{
    test::ModelBuilder builder;
    builder.input("x", {1, 4}).weight("w", {4, 4}).weight("b", {4});
    builder.node("MatMul", "product", {"x", "w"}, {"p"}).node("Add", "bias", {"p", "b"}, {"s"});
    return builder.node(last, "last", {"s"}, {"y"}).output("y").build();
}

/// A product with its bias in one kernel, and one that the engine has put in.
NodeTimes measured()
{
    NodeTimes times;
    times.kernels = {{"product", "FusedGemm", 7.5, {NodeId(0), NodeId(1)}}, {"last", "Relu", 2.25, {NodeId(2)}},
        {"reorder", "ReorderInput", 0.5, {}}};
    times.runMicroseconds = 12;
    times.runs = 31;
    times.threads = 2;
    times.date = "2026-11-22T14:05:00.250Z";
    spreadOverNodes(*model(), times);
    return times;
}

std::string with(const char* key, const nlohmann::ordered_json& value)
{
    auto json = nlohmann::ordered_json::parse(keptTimesText(measured(), *model(), kStamp));
    json[nlohmann::ordered_json::json_pointer(key)] = value;
    return json.dump();
}

std::string problem(std::string_view text)
{
    const auto read = parseKeptTimes(text, *model(), kStamp, "t.json");
    return read ? std::string() : read.error().line();
}

TEST(KeptTimes, AreReadBackAsTheyWere)
{
    const NodeTimes times = measured();
    const auto read = parseKeptTimes(keptTimesText(times, *model(), kStamp), *model(), kStamp, "t.json");
    ASSERT_TRUE(read) << read.error().line();
    ASSERT_EQ(read->kernels.size(), 3);
    EXPECT_EQ(read->kernels[0].name, "product");
    EXPECT_EQ(read->kernels[0].opType, "FusedGemm");
    EXPECT_EQ(read->ofNode, times.ofNode);
    EXPECT_EQ(read->ofNode[0], 7.5) << "of the product, with its bias";
    EXPECT_EQ(read->ledBy, times.ledBy);
    EXPECT_EQ(read->runMicroseconds, 12);
    EXPECT_EQ(read->kernelMicroseconds, 10.25);
    EXPECT_EQ(read->runs, 31);
    EXPECT_EQ(read->threads, 2);
    EXPECT_EQ(read->date, times.date);
}

TEST(KeptTimes, AreOfTheirModelAlone)
{
    const std::string text = keptTimesText(measured(), *model(), kStamp);
    const auto ofOther = [&](const Model& other, const FileStamp& stamp) {
        const auto read = parseKeptTimes(text, other, stamp, "t.json");
        return read ? std::string() : read.error().line();
    };
    EXPECT_EQ(ofOther(*model(), {1234, 5678, 9}), "") << "moved, or copied";
    EXPECT_EQ(ofOther(*model("Sigmoid"), kStamp), "this was measured of another model: t.json nodes");
    EXPECT_EQ(ofOther(*model(), {1234, 5679, 0}), "this was measured of another model: t.json nodes");
}

TEST(KeptTimes, RefusesWhatIsNone)
{
    EXPECT_EQ(problem(with("/kernels/0/nodes", {0, 3})), "places of nodes are expected: t.json kernels[0].nodes");
    EXPECT_EQ(problem(with("/kernels/0/nodes", {1, 0})), "places are expected in order: t.json kernels[0].nodes");
    EXPECT_EQ(problem(with("/kernels/0/nodes", {-1})), "places of nodes are expected: t.json kernels[0].nodes");
    EXPECT_EQ(problem(with("/kernels/1/microseconds", -1)), "a time is expected: t.json kernels[1].microseconds");
    EXPECT_EQ(problem(with("/kernels/1", 7)), "an object is expected: t.json kernels[1]");
    EXPECT_EQ(problem(with("/runs", 0)), "a number of at least 1 is expected: t.json runs");
    EXPECT_EQ(problem(with("/threads", 1e12)), "a whole number is expected: t.json threads");
    EXPECT_THAT(problem(with("/version", 2)), HasSubstr("t.json"));
    EXPECT_THAT(problem(with("/format", "duoscope-run")), HasSubstr("t.json"));
    EXPECT_THAT(problem("{"), HasSubstr("not valid JSON"));
}

} // namespace
} // namespace duo
