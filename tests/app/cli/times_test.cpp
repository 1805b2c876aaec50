// SPDX-License-Identifier: Apache-2.0
// times as a user runs it.
#include "tests/app/cli/run_cli.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(CliTimes, SaysHowLongKernelsAndScopesTake)
{
    const CliRun run = runCli({"times", sample("digits_conv.onnx"), "--data", "random:1", "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "times"), "");
    const auto times = run.json();
    EXPECT_EQ(times["threads"], 1);
    double shares = 0;
    for (const auto& kernel : times["kernels"])
        shares += kernel["share"].get<double>();
    EXPECT_NEAR(shares, 1, 1e-6);
    EXPECT_EQ(times["scopes"][0]["scope"], "");
    EXPECT_NEAR(times["scopes"][0]["share"].get<double>(), 1, 1e-6);
}

TEST(CliTimes, PrintsTheLongest)
{
    const CliRun run = runCli({"times", sample("digits_conv.onnx"), "--data", "random:1"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, testing::StartsWith("one run: "));
    EXPECT_THAT(run.out, testing::HasSubstr("\nscopes:\n  100 %, "));
}

} // namespace
} // namespace duo::test
