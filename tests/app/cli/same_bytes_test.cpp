// SPDX-License-Identifier: Apache-2.0
// The same call gives the same model and state wherever, whenever and however it runs
// (resources/docs/promises.md, "Same bytes").
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

/// One way of making the same export: the surroundings, and what is added to the call.
struct Way {
    std::string name;
    Surroundings surroundings;
    std::vector<std::string> more;
};

std::vector<Way> ways(const TemporaryFolder& folder)
{
    return {
        {"one thread", {}, {"--threads", "1", "--no-cache"}},
        {"two threads", {}, {"--threads", "2", "--no-cache"}},
        {"measured and remembered", {}, {"--threads", "2"}},
        {"from the cache", {}, {"--threads", "1"}},
        {"a German locale", {.environment = {"LC_ALL=de_DE.UTF-8", "LANG=de_DE.UTF-8"}}, {"--no-cache"}},
        {"a Turkish locale", {.environment = {"LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8"}}, {"--no-cache"}},
        {"a plain locale", {.environment = {"LC_ALL=C"}}, {"--no-cache"}},
        {"half an hour off", {.environment = {"TZ=Asia/Kathmandu"}}, {"--no-cache"}},
        {"the other side of the date line", {.environment = {"TZ=<+14>-14"}}, {"--no-cache"}},
        {"another folder", {.folder = folder.path()}, {"--no-cache"}},
        {"another home and user", {.environment = {"HOME=/nowhere", "USER=somebody", "HOSTNAME=elsewhere"}}, {}},
        {"another folder for temporary files", {.environment = {"TMPDIR=" + (folder / "tmp").string()}},
            {"--no-cache"}},
        {"loops for any processor", {.environment = {"DUOSCOPE_CPU=any"}}, {"--no-cache"}},
        {"loops for AVX2", {.environment = {"DUOSCOPE_CPU=avx2"}}, {"--no-cache"}},
        {"the C library of an older processor",
            {.environment = {"GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-FMA,-FMA4"}}, {"--no-cache"}},
        {"one processor", {.environment = {"OMP_NUM_THREADS=1"}}, {"--no-cache", "--quiet"}},
    };
}

TEST(SameBytes, OnAnyNumberOfThreadsInAnyLocaleTimeZoneAndFolderFromTheCacheOrNot)
{
    for (const std::string model : {"digits_conv.onnx", "digits_transformer.onnx"}) {
        const TemporaryFolder folder;
        std::filesystem::create_directories(folder / "tmp");
        std::string bytes;
        std::string state;
        int number = 0;
        for (const Way& way : ways(folder)) {
            // Copies, so that neither names of folders nor times of files are the same.
            const std::filesystem::path at = folder / ("place" + std::to_string(++number));
            std::filesystem::create_directories(at);
            std::filesystem::copy_file(sample(model), at / "m.onnx");
            std::filesystem::copy_file(sample("digits_calibration.npz"), at / "d.npz");
            const bool isRelative = !way.surroundings.folder.empty();
            const std::filesystem::path named = isRelative ? at.filename() : at;
            std::vector<std::string> call{
                "quantize", named / "m.onnx", "--data", named / "d.npz", "-o", named / "q.onnx"};
            call.insert(call.end(), way.more.begin(), way.more.end());
            const CliRun run = runCli(call, way.surroundings);
            ASSERT_LE(run.exitCode, 1) << way.name << run.err; // 1: written, and perhaps measured as no faster
            if (number == 1) {
                bytes = bytesOf(at / "q.onnx");
                state = bytesOf(at / "q.state.json");
            }
            EXPECT_EQ(bytesOf(at / "q.onnx"), bytes) << model << ", " << way.name;
            EXPECT_EQ(bytesOf(at / "q.state.json"), state) << model << ", " << way.name;
        }
    }
}

TEST(SameBytes, ANodeThatGivesRandomNumbersIsNamed)
{
    const TemporaryFolder folder;
    ProtoBuilder model;
    model.input("x", {1, 4}).output("y", {1, 4}).weight("w", {4, 4});
    model.node("RandomNormalLike", "noise", {"x"}, {"n"});
    model.node("Add", "sum", {"x", "n"}, {"s"});
    model.node("MatMul", "product", {"s", "w"}, {"y"});
    const auto file = folder.write("m.onnx", model.text());
    const CliRun run = runCli({"quantize", file, "--data", "random:2", "-o", folder / "q.onnx"});
    EXPECT_LE(run.exitCode, 1) << run.err;
    EXPECT_THAT(run.err, HasSubstr("note: RandomNormalLike gives other numbers in each run"));
    EXPECT_THAT(run.err, HasSubstr("may differ from run to run: noise\n"));
}

} // namespace
} // namespace duo::test
