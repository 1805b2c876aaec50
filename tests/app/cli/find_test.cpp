// SPDX-License-Identifier: Apache-2.0
// find as a user runs it.
#include "tests/app/cli/run_cli.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(CliFind, PrintsWhatTheWindowFinds)
{
    const CliRun run = runCli({"find", sample("digits_conv.onnx"), "type:Conv scope:layer1", "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "find"), "");
    const auto found = run.json()["found"];
    ASSERT_FALSE(found.empty());
    for (const auto& thing : found) {
        EXPECT_EQ(thing["kind"], "node");
        EXPECT_EQ(thing["op_type"], "Conv");
        EXPECT_THAT(thing["execution"].get<std::string>(), testing::HasSubstr("layer1"));
    }
}

TEST(CliFind, SaysThatThereIsNothing)
{
    const CliRun run = runCli({"find", sample("digits_conv.onnx"), "nowhere"});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.out, "no match\n");
}

TEST(CliFind, ListsScopesWithWhatTheyHold)
{
    const CliRun run = runCli({"find", sample("digits_conv.onnx"), "stem"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("execution-scope encoder/stem ("));
    EXPECT_THAT(run.out, testing::HasSubstr(" found\n"));
}

TEST(CliFind, RefusesWhatIsNoQuery)
{
    const CliRun run = runCli({"find", sample("digits_conv.onnx"), "a(", "--regex"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, testing::HasSubstr("the pattern is not valid at 1"));
}

} // namespace
} // namespace duo::test
