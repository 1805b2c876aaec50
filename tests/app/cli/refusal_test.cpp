// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace duo::test {
namespace {

TEST(CliInspect, SaysWhatTheSampleIs)
{
    const CliRun run = runCli({"inspect", sample("digits_conv.onnx"), "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "inspect"), "");
    EXPECT_EQ(run.json()["inputs"][0]["shape"][0], "batch");
}

/// Odd but well-formed files of the hostile set (its README): they open.
bool opens(const std::filesystem::path& file)
{
    const std::string stem = file.stem().string();
    return stem == "odd_names" || stem == "unknown_operator" || stem == "wrong_quantizers" || stem == "not_finite"
        || stem == "loop_body_input_is_initializer" || stem == "external_missing";
}

TEST(CliInspect, SaysWhatTheSamplesAreLike)
{
    const CliRun run
        = runCli({"inspect", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"), "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "inspect"), "");
    const auto samples = run.json()["data"];
    EXPECT_EQ(samples["samples"], 200);
    EXPECT_EQ(samples["looked_at"], 8);
    EXPECT_EQ(samples["inputs"][0]["dims"], (std::vector<int>{1, 1, 8, 8}));
    EXPECT_EQ(samples["inputs"][0]["not_finite"], 0);
    const CliRun text = runCli({"inspect", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz")});
    EXPECT_NE(
        text.out.find("200 samples, of which the first 8 have\n  image float32[1,1,8,8], from "), std::string::npos)
        << text.out;
}

TEST(CliInspect, OpensOddFilesAndPrintsThemSafely)
{
    const CliRun run = runCli({"inspect", data("hostile/odd_names.onnx")});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
}

/// Every other one: exit 3, nothing on stdout, one line on stderr that starts with "error: " and names the file.
TEST(CliInspect, RefusesEveryHostileFileInOneLine)
{
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(data("hostile"))) {
        if (entry.path().extension() != ".onnx" || opens(entry.path()))
            continue;
        ++files;
        const CliRun run = runCli({"inspect", entry.path().string(), "--json", "--quiet"});
        EXPECT_EQ(run.exitCode, 3) << entry.path();
        EXPECT_EQ(run.out, "") << entry.path();
        EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << entry.path() << ": " << run.err;
        EXPECT_TRUE(run.err.starts_with("error: ")) << run.err;
    }
    EXPECT_GE(files, 10);
}

TEST(Cli, UsageErrorsAreOneLineAndExitTwo)
{
    const CliRun run = runCli({"statistics", sample("digits_conv.onnx")});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_EQ(run.err, "error: --data is required: see duoscope-cli --help\n");
    EXPECT_EQ(runCli({"frobnicate"}).exitCode, 2);
}

TEST(Cli, HelpIsAResult)
{
    const CliRun run = runCli({"quantize", "--help"});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_THAT(run.out, testing::HasSubstr("--data"));
}

} // namespace
} // namespace duo::test
