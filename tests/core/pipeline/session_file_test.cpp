// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/session_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::HasSubstr;

/// Nothing in it is as it is by itself.
KeptSession fullSession()
{
    KeptSession session;
    session.model = "/models/m.onnx";
    session.stamp = {12345678901, 1763850000123456789, 0};
    session.written = "2026-11-22T14:05:00Z";
    session.recipe.rules.rules.emplace_back();
    session.recipe.rules.rules.front().value = "/conv1/Conv";
    session.recipe.quantization.subsetSize = 7;
    session.saved.quantization.subsetSize = 8;
    session.savedAs = "/recipes/mine.recipe.json";
    session.data.spec = "samples.npz";
    DatasetOptions& options = session.data.options;
    options.arrays = {"labels"};
    options.dims = {{"N", 2}, {"seq", 128}};
    options.feedBack = {{"state_out", "state"}};
    options.mean = {0.485F, 0.456F, 0.406F};
    options.std = {0.1F};
    options.size = {224, 192};
    options.layout = "nhwc";
    options.channels = "bgr";
    session.checkpoint = "/models/m.safetensors";
    session.located = "/weights/m.data";
    session.statistics = "/models/m.statistics";
    session.isMeasured = true;
    session.demands = {{30.5, 0.99}, {"labels", "./metric.sh", 0.02}};
    session.results = {{ResultKind::Export, "2026-11-21T10:00:00Z", "accepted\nsize", {"a", "b", {7, 8, 0}}}};
    session.results.front().line = "measured: 1 B of 2 B, 41.4 dB";
    session.results.front().nodes = std::make_shared<const NodeOutcomes>(NodeOutcomes{"plan",
        {{{"its branch is not run"}, {"samples"}}, {{"it is computed with ", " and ", ""}, {}}},
        {{{2, 2}, NodeState::Preset, 1, {1, 12}}, {{3, 7}, NodeState::Preset, 0},
            {{8, 8}, NodeState::Preset, 1, {7, 13}}},
        {{RunsAs::Float, "Conv", "its beta is not 1", {{2, 2}}}, {RunsAs::Int8, "QLinearAdd", "", {{0, 1}, {9, 9}}}}});
    session.results.front().statistics = "/models/m.statistics";
    session.unfinished = UnfinishedRun{UnfinishedKind::Deployment, "2026-11-22T14:04:00.000Z", "/models/m-deployment"};
    session.view = {{"graph", {{"open", {"a", "b"}}, {"zoom", 0.5}}}};
    return session;
}

/// A whole session with one key another value.
std::string with(const char* key, const nlohmann::ordered_json& value)
{
    auto json = nlohmann::ordered_json::parse(sessionText(fullSession()));
    json[nlohmann::ordered_json::json_pointer(key)] = value;
    return json.dump();
}

std::string problem(std::string_view text)
{
    const auto read = parseSession(text, "s.json");
    return read ? std::string() : read.error().line();
}

TEST(SessionFile, IsReadBackAsItWas)
{
    const KeptSession session = fullSession();
    const auto read = parseSession(sessionText(session), "s.json");
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_EQ(*read, session);
    const auto empty = parseSession(sessionText({}), "s.json");
    ASSERT_TRUE(empty) << empty.error().line();
    EXPECT_EQ(*empty, KeptSession());
}

TEST(SessionFile, KeysThatAreNotKnownArePassedOverAndMissingOnesAreAsByThemselves)
{
    EXPECT_EQ(*parseSession(R"({"format": "duoscope-session", "version": 1, "later": {}})", "s.json"), KeptSession());
}

TEST(SessionFile, AResultOfAKindThatIsNotKnownIsPassedOver)
{
    const auto read = parseSession(with("/results/0/kind", "later"), "s.json");
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_THAT(read->results, testing::IsEmpty());
}

TEST(SessionFile, ARunOfAKindThatIsNotKnownIsPassedOver)
{
    const auto read = parseSession(with("/unfinished/kind", "later"), "s.json");
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_EQ(read->unfinished, std::nullopt);
}

TEST(SessionFile, WhatHasAnotherTypeIsSaidWithItsKey)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {with("/written", 3), "not text: s.json written"},
        {with("/written", "<b>now</b>"), "a date is expected: s.json written"},
        {with("/data/spec", std::string(65'537, 'a')), "too long for what one may type: s.json data.spec"},
        {with("/results/0/date", std::string(41, '1')), "a date is expected: s.json results[0].date"},
        {with("/unfinished/begun", "\x1b[31m"), "a date is expected: s.json unfinished.begun"},
        {with("/saved_as", std::string(4096, 'a')), "no path is as long: s.json saved_as"},
        {with("/is_measured", "yes"), "not true or false: s.json is_measured"},
        {with("/model/bytes", 1.5), "a whole number is expected: s.json model.bytes"},
        {with("/model/modified_ns", 18446744073709551615U), "a whole number is expected: s.json model.modified_ns"},
        {with("/model", nullptr), "an object is expected: s.json model"},
        {with("/data/dims", {1}), "an object is expected: s.json data.dims"},
        {with("/data/dims/N", 0), "a size of at least 1 is expected: s.json data.dims.N"},
        {with("/data/mean", "x"), "a list of numbers is expected: s.json data.mean"},
        {with("/data/size", {1, -2}), "height and width are expected: s.json data.size"},
        {with("/data/feed_back", {{"a"}}), "a list of pairs is expected: s.json data.feed_back"},
        {with("/demands/min_sqnr_db", "30"), "a number is expected: s.json demands.min_sqnr_db"},
        {with("/results", 1), "a list is expected: s.json results"},
        {with("/results/0", 1), "an object is expected: s.json results[0]"},
        {with("/results/0/of/model", 1), "an object is expected: s.json results[0].of.model"},
        {with("/results/0/line", 1), "not text: s.json results[0].line"},
        {with("/results/0/became", {1}), "an object is expected: s.json results[0].became"},
        {with("/results/0/became/why", 1), "a list is expected: s.json results[0].became.why"},
        {with("/results/0/became/why/0/reason", "text"), "s.json results[0].became.why[0].reason"},
        {with("/results/0/became/others/0", 1), "an object is expected: s.json results[0].became.others[0]"},
        {with("/results/0/became/others/0/state", "lost"),
            "no state of a node: s.json results[0].became.others[0].state"},
        {with("/results/0/became/others/0/why", 2), "there is no such reason: s.json results[0].became.others[0].why"},
        {with("/results/0/became/why", nlohmann::ordered_json::array()),
            "there is no such reason: s.json results[0].became.others[0].why"},
        {with("/results/0/became/runs/0/runs", "fast"), "no way to run a node: s.json results[0].became.runs[0].runs"},
        {with("/unfinished", 1), "an object is expected: s.json unfinished"},
        {with("/unfinished/target", 1), "not text: s.json unfinished.target"},
        {with("/view", {1}), "an object is expected: s.json view"},
        {with("/recipe", "{"), "recipe"},
    };
    for (const auto& [text, said] : cases) {
        EXPECT_THAT(problem(text), HasSubstr(said));
        EXPECT_EQ(problem(text).find('\n'), std::string::npos);
    }
}

TEST(SessionFile, PlacesOfNodesThatAreNoneAreSaid)
{
    for (const char* places : {"a", "-1", "1-", "3-2", "1 ", " 1", "1  2", "1,2", "1:", "1:2,", "4294967296", "1;2"}) {
        EXPECT_THAT(problem(with("/results/0/became/others/0/nodes", places)),
            HasSubstr("places of nodes are expected: s.json results[0].became.others[0].nodes"))
            << places;
    }
    EXPECT_THAT(problem(with("/results/0/became/runs/0/nodes", "1:2")),
        HasSubstr("places of nodes are expected: s.json results[0].became.runs[0].nodes"));
}

TEST(SessionFile, ManyNodesTakeLittle)
{
    NodeOutcomes many = *fullSession().results.front().nodes;
    many.others.clear();
    for (std::uint32_t i = 0; i < 50'000; i += 2)
        many.others.push_back({{i, i}, NodeState::Preset, 1, {i + 1, i + 3}});
    many.running = {{RunsAs::Int8, "QLinearConv", "", {{0, 49'999}}}};
    KeptSession session = fullSession();
    session.results.front().nodes = std::make_shared<const NodeOutcomes>(many);
    const std::string text = sessionText(session);
    EXPECT_LT(text.size(), std::size_t{1} << 20);
    const auto read = parseSession(text, "s.json");
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_EQ(*read, session);
}

TEST(SessionFile, OtherFormatsAndVersionsAreRefused)
{
    EXPECT_EQ(problem("[]"), "not a kept session: s.json");
    EXPECT_EQ(problem(R"({"format": "duoscope-recipe"})"), "not a kept session: s.json");
    EXPECT_EQ(problem(with("/version", 2)), "kept by a newer Duoscope: s.json: open it with that one");
    EXPECT_EQ(problem(with("/version", 0)), "a kept session of no known version: s.json");
    EXPECT_EQ(problem(with("/version", "1")), "a kept session of no known version: s.json");
}

TEST(SessionFile, RefusesNumbersThatAreNone)
{
    EXPECT_EQ(problem(with("/data/std", {1e99})), "a list of numbers is expected: s.json data.std");
    EXPECT_EQ(problem(with("/data/std", {"1"})), "a list of numbers is expected: s.json data.std");
}

/// As a power cut without a journal may leave it.
TEST(SessionFile, NoCutOfItIsTakenForASession)
{
    const std::string text = sessionText(fullSession());
    for (std::size_t length = 0; length + 2 < text.size(); ++length)
        EXPECT_FALSE(parseSession(text.substr(0, length), "s.json")) << length;
}

TEST(SessionFile, TextsThatAreTooLongAreCutAndNoUtf8IsReplaced)
{
    KeptSession session = fullSession();
    session.results.front().text = std::string(std::size_t{3} << 20, 'x');
    session.view["big"] = std::string(std::size_t{9} << 20, 'x');
    session.savedAs = "\xff.json";
    NodeOutcomes many = *session.results.front().nodes;
    many.why.front().reason = {std::string(std::size_t{9} << 20, 'x')};
    session.results.front().nodes = std::make_shared<const NodeOutcomes>(many);
    const auto read = parseSession(sessionText(session), "s.json");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->results.front().text.size(), std::size_t{1} << 20);
    EXPECT_EQ(read->view, nlohmann::ordered_json::object());
    EXPECT_EQ(read->results.front().nodes, nullptr);
    EXPECT_EQ(read->savedAs, "\xef\xbf\xbd.json");
}

TEST(SessionFile, WhatIsLongerThanItIsWrittenIsNotTakenUp)
{
    const std::string many(std::size_t{9} << 20, 'x');
    const auto text = parseSession(with("/results/0/text", "a\xcc\x88" + many), "s.json");
    ASSERT_TRUE(text);
    EXPECT_EQ(text->results.front().text.size(), std::size_t{1} << 20);
    EXPECT_EQ(parseSession(with("/results/0/line", many), "s.json")->results.front().line.size(), 4096U);
    EXPECT_EQ(parseSession(with("/view", {{"open", {many}}}), "s.json")->view, nlohmann::ordered_json::object());
    EXPECT_EQ(parseSession(with("/results/0/became/plan", many), "s.json")->results.front().nodes, nullptr);
}

TEST(SessionFile, NoCharacterIsCut)
{
    std::string text((std::size_t{1} << 20) - 1, 'x');
    text += "\xc3\xa4 and more";
    const auto read = parseSession(with("/results/0/text", text), "s.json");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->results.front().text, std::string((std::size_t{1} << 20) - 1, 'x'));
}

TEST(SessionFile, OfResultsOfAKindTheLastCounts)
{
    const auto first = nlohmann::ordered_json::parse(sessionText(fullSession()))["results"][0];
    auto second = first;
    second["text"] = "regression";
    const auto read = parseSession(with("/results", {first, second}), "s.json");
    ASSERT_TRUE(read);
    ASSERT_EQ(read->results.size(), 1U);
    EXPECT_EQ(read->results.front().text, "regression");
}

TEST(SessionFile, HowNodesRunIsLeftOutBeforeWhatBecameOfThem)
{
    KeptSession session = fullSession();
    NodeOutcomes many = *session.results.front().nodes;
    many.running.front().reason = std::string(std::size_t{9} << 20, 'x');
    session.results.front().nodes = std::make_shared<const NodeOutcomes>(many);
    const auto read = parseSession(sessionText(session), "s.json");
    ASSERT_TRUE(read);
    ASSERT_TRUE(read->results.front().nodes);
    EXPECT_EQ(read->results.front().nodes->others, many.others);
    EXPECT_TRUE(read->results.front().nodes->running.empty());
}

TEST(SessionFile, DatesAreThoseOfFiles)
{
    EXPECT_EQ(dateOf(1763850000123456789), "2025-11-22T22:20:00.123Z");
    EXPECT_LE(dateOf(1763850000123456789), dateNow());
}

TEST(SessionFile, AResultSaysWhatIsAnotherOneSince)
{
    const KeptSession now = fullSession();
    const ResultOrigin then = resultOrigin(now.recipe, now.data, now.stamp);
    EXPECT_THAT(changesSince(then, resultOrigin(now.recipe, now.data, now.stamp)), testing::IsEmpty());
    EXPECT_THAT(changesSince(then, resultOrigin({}, {}, {})),
        testing::ElementsAre("the rules or settings", "the data", "the model's file"));
    DataSource others = now.data;
    others.options.channels = "rgb";
    EXPECT_THAT(changesSince(then, resultOrigin(now.recipe, others, now.stamp)), testing::ElementsAre("the data"));
}

} // namespace
} // namespace duo
