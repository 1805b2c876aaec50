// SPDX-License-Identifier: Apache-2.0
// What the shell may have done before the program starts: streams that are closed, limits, signals that are ignored.
#include "tests/app/cli/run_cli.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace duo::test {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

class CliSurroundings : public testing::Test
{
protected:
    [[nodiscard]] CliRun quantize(const Surroundings& surroundings) const
    {
        return runCli({"quantize", data("cases/a_sibling.onnx"), "--data", "random:4", "--no-cache", "-o",
                          (m_folder / "q.onnx").string()},
            surroundings);
    }
    [[nodiscard]] CliRun transform(const Surroundings& surroundings) const
    {
        return runCli({"transform", sample("digits_conv.onnx"), "-o", (m_folder / "t.onnx").string()}, surroundings);
    }
    [[nodiscard]] std::vector<std::string> files() const
    {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(m_folder.path()))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }

    TemporaryFolder m_folder;
};

/// Its number would be that of the engine's socket.
TEST_F(CliSurroundings, AClosedStreamIsNotTakenForAFileOfOurs)
{
    EXPECT_LE(quantize({.streams = "2>&-"}).exitCode, 1);
    EXPECT_EQ(files(), (std::vector<std::string>{"q.onnx", "q.state.json"}));
    EXPECT_LE(quantize({.streams = "<&- 2>&-"}).exitCode, 1);
    const CliRun silent = quantize({.streams = ">&-"});
    EXPECT_EQ(silent.exitCode, 5);
    EXPECT_THAT(silent.err, HasSubstr("error: cannot write the result: standard output"));
}

TEST_F(CliSurroundings, WhoDoesNotReadProgressEndsNothing)
{
    const TemporaryFolder other;
    const std::string pipe = other / "pipe";
    EXPECT_LE(
        quantize({.before = "mkfifo " + pipe + " && { true <" + pipe + " & }", .streams = "2>" + pipe}).exitCode, 1);
    EXPECT_EQ(files(), (std::vector<std::string>{"q.onnx", "q.state.json"}));
}

TEST_F(CliSurroundings, AFileBeyondItsLimitIsAnErrorThatLeavesNothing)
{
    const CliRun run = transform({.before = "ulimit -f 100"}); // blocks of 512 bytes
    EXPECT_EQ(run.exitCode, 5) << run.err;
    EXPECT_THAT(run.err, HasSubstr("error: cannot write file: "));
    EXPECT_THAT(run.err, HasSubstr("File too large"));
    EXPECT_EQ(files(), std::vector<std::string>());
    const CliRun engine = quantize({.before = "ulimit -f 100"});
    EXPECT_EQ(engine.exitCode, 4) << engine.err;
    EXPECT_THAT(engine.err, HasSubstr("(ulimit -f): raise the limit"));
}

} // namespace
} // namespace duo::test
