// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/kept_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// Nothing in it is as it is by itself.
KeptRun fullRun()
{
    KeptRun run;
    run.kind = ResultKind::Export;
    run.date = "2026-11-22T14:05:00.250Z";
    run.of = {"recipe", "data", {7, 8, 0}};
    run.recipe.quantization.subsetSize = 7;
    run.seconds = 12.25;
    run.quantizers = 42;
    run.samples = 300;
    run.target = "m.int8.onnx";
    run.bytesBefore = 4000000;
    run.bytesAfter = 1000000;
    run.verdict = "regression";
    run.why = "an output is too far off";
    run.worst = "8.5 dB at 'y'";
    run.floatMs = 8.25;
    run.quantizedMs = 4.125;
    run.checks = {{"loads", true, "it loads"}, {"int8-kernels", false, "1 node runs in float"}};
    return run;
}

std::string with(const char* key, const nlohmann::ordered_json& value)
{
    auto json = nlohmann::ordered_json::parse(runText(fullRun()));
    json[nlohmann::ordered_json::json_pointer(key)] = value;
    return json.dump();
}

std::string problem(std::string_view text)
{
    const auto read = parseRun(text, "r.json");
    return read ? std::string() : read.error().line();
}

TEST(KeptRun, IsReadBackAsItWas)
{
    const auto read = parseRun(runText(fullRun()), "r.json");
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_EQ(*read, fullRun());
}

TEST(KeptRun, OfAQuantizationHasNoWordOfAnExport)
{
    KeptRun run = fullRun();
    run.kind = ResultKind::Quantization;
    const auto json = nlohmann::ordered_json::parse(runText(run));
    EXPECT_FALSE(json.contains("checks"));
    EXPECT_FALSE(json.contains("verdict"));
    EXPECT_EQ(checksText(run), "");
    EXPECT_EQ(sizeText(run), "");
}

TEST(KeptRun, PassesOverKeysThatItDoesNotKnow)
{
    EXPECT_EQ(problem(with("/newer", 3)), "");
}

TEST(KeptRun, SaysWhatIsWrong)
{
    EXPECT_EQ(problem("{}"), "not a kept run: r.json");
    EXPECT_EQ(problem(with("/version", 2)), "kept by a newer Duoscope: r.json: open it with that one");
    EXPECT_EQ(problem(with("/version", 0)), "a kept run of no known version: r.json");
    EXPECT_EQ(problem(with("/kind", "dream")), "no kind of run that is known: r.json kind");
    EXPECT_EQ(problem(with("/seconds", "long")), "a number is expected: r.json seconds");
    EXPECT_EQ(problem(with("/bytes_after", 1.5)), "a whole number is expected: r.json bytes_after");
    EXPECT_EQ(problem(with("/checks", 1)), "a list is expected: r.json checks");
    EXPECT_EQ(problem(with("/checks/0", 1)), "an object is expected: r.json checks[0]");
    EXPECT_EQ(problem(with("/checks/1/ok", "yes")), "not true or false: r.json checks[1].ok");
}

TEST(KeptRun, TellsItsFigures)
{
    EXPECT_EQ(checksText(fullRun()), "1 of 2");
    EXPECT_EQ(sizeText(fullRun()), "1.0 MB, 4.00 x smaller");
    EXPECT_EQ(timeText(fullRun()), "4.125 ms (float 8.25)");
}

TEST(KeptRun, DiffersFromAnotherInWhatCameOfIt)
{
    EXPECT_THAT(differencesOf(fullRun(), fullRun()), IsEmpty());
    KeptRun better = fullRun();
    better.verdict = "accepted";
    better.bytesAfter = 2000000;
    better.checks = {{"loads", true, "another sentence"}, {"int8-kernels", true, "all run in int8"}};
    EXPECT_THAT(differencesOf(fullRun(), better),
        ElementsAre(TextDifference{"verdict", "regression", "accepted"},
            TextDifference{"size", "1.0 MB, 4.00 x smaller", "2.0 MB, 2.00 x smaller"},
            TextDifference{"check int8-kernels", "1 node runs in float", "passed"}));
}

} // namespace
} // namespace duo
