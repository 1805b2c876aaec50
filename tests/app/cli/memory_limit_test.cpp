// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// It is not the installation that lacks something then.
TEST(CliMemoryLimit, IsToldWhereTheEngineLacksMemory)
{
    const TemporaryFolder folder;
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"),
                                  "--no-cache", "-o", folder / "m.onnx"},
        {.mostVirtualKb = 300'000});
    EXPECT_EQ(run.exitCode, 4);
    EXPECT_THAT(run.err, testing::HasSubstr("virtual memory is limited to 292 MB (ulimit -v): raise the limit"));
}

} // namespace
} // namespace duo::test
