// SPDX-License-Identifier: Apache-2.0
#include "core/support/run_command.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace duo {
namespace {

TEST(RunCommand, GivesWhatTheCommandPrints)
{
    const auto output = runCommand("echo one; echo two", {});
    ASSERT_TRUE(output) << output.error().line();
    EXPECT_EQ(*output, "one\ntwo\n");
}

TEST(RunCommand, ACommandThatFailsIsAnError)
{
    const auto output = runCommand("exit 3", {});
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().line(), "the command failed with exit code 3: exit 3: try it in a shell");
}

TEST(RunCommand, TooMuchOutputIsAnError)
{
    const auto output = runCommand("yes", {});
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().what, "the command prints more than a megabyte");
}

TEST(RunCommand, AStopEndsIt)
{
    std::stop_source stop;
    stop.request_stop();
    const auto output = runCommand("sleep 600", {stop.get_token(), {}});
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().code, ErrorCode::Cancelled);
}

TEST(RunCommand, AStopEndsOneThatHasClosedItsOutput)
{
    std::stop_source stop;
    const std::jthread later([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        stop.request_stop();
    });
    const auto output = runCommand("exec >&-; sleep 600", {stop.get_token(), {}});
    ASSERT_FALSE(output);
    EXPECT_EQ(output.error().code, ErrorCode::Cancelled);
}

TEST(RunCommand, AQuotedWordIsOneWord)
{
    const std::string path = "it's a $(file) \"name\"";
    EXPECT_EQ(*runCommand("printf %s " + shellQuoted(path), {}), path);
}

} // namespace
} // namespace duo
