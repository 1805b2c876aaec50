// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace duo::test {
namespace {

/// It is not the installation that lacks something then. Where memory ends is another place for each of the limits: the
/// engine does not start, crashes, or cannot be set up.
TEST(CliMemoryLimit, IsToldWhereTheEngineLacksMemory)
{
    const TemporaryFolder folder;
    for (const auto& [kilobytes, limit] : {std::pair(300'000, "292 MB"), {330'000, "322 MB"}, {360'000, "351 MB"}}) {
        const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"),
                                      "--no-cache", "-o", folder / "m.onnx"},
            {.before = "ulimit -v " + std::to_string(kilobytes)});
        EXPECT_EQ(run.exitCode, 4);
        EXPECT_THAT(run.err,
            testing::HasSubstr("virtual memory is limited to " + std::string(limit) + " (ulimit -v): raise the limit"));
    }
}

/// As a batch system sets it: the engine shares no more addresses with us than there are.
TEST(CliMemoryLimit, ALimitThatLeavesRoomChangesNothing)
{
    const TemporaryFolder folder;
    const auto quantized = [&](const char* before, const char* name) {
        const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"),
                                      "--no-cache", "-o", folder / name},
            {.before = before});
        EXPECT_EQ(run.exitCode, 0) << run.err;
        return bytesOf(folder / name);
    };
    EXPECT_EQ(quantized("ulimit -v 1500000", "limited.onnx"), quantized("true", "free.onnx"));
}

} // namespace
} // namespace duo::test
