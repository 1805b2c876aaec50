// SPDX-License-Identifier: Apache-2.0
// The checkpoint that lies beside a model: used without being named, as the window does, and said.
#include "tests/app/cli/run_cli.h"
#include "tests/support/temporary_folder.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::HasSubstr;
using testing::Not;

namespace duo::test {
namespace {

class CliCheckpoint : public testing::Test
{
protected:
    void SetUp() override
    {
        for (const char* file : {"digits_conv.onnx", "digits_conv.safetensors"})
            std::filesystem::copy_file(sample(file), m_folder / file);
        std::filesystem::copy_file(sample("digits_conv.onnx"), m_folder / "alone.onnx");
    }

    [[nodiscard]] std::string file(const char* name) const { return (m_folder / name).string(); }

    TemporaryFolder m_folder;
};

TEST_F(CliCheckpoint, BesideTheModelIsUsedAsIfItWereNamed)
{
    const CliRun found = runCli({"scopes", file("digits_conv.onnx"), "--json"});
    ASSERT_EQ(found.exitCode, 0) << found.err;
    EXPECT_THAT(found.err,
        HasSubstr(
            "note: " + file("digits_conv.safetensors") + ", found beside the model, is in use as its checkpoint"));
    EXPECT_GT(found.json()["coverage"]["matched_by"]["content"], 0);
    const CliRun named
        = runCli({"scopes", file("digits_conv.onnx"), "--checkpoint", file("digits_conv.safetensors"), "--json"});
    EXPECT_EQ(found.out, named.out);
    EXPECT_THAT(named.err, Not(HasSubstr("found beside")));
}

TEST_F(CliCheckpoint, BesideTheModelCanBeLeftOut)
{
    const CliRun without = runCli({"scopes", file("digits_conv.onnx"), "--no-checkpoint", "--json"});
    ASSERT_EQ(without.exitCode, 0) << without.err;
    EXPECT_THAT(without.err, Not(HasSubstr("found beside")));
    EXPECT_EQ(without.out, runCli({"scopes", file("alone.onnx"), "--json"}).out);
    const CliRun both = runCli(
        {"scopes", file("digits_conv.onnx"), "--no-checkpoint", "--checkpoint", file("digits_conv.safetensors")});
    EXPECT_EQ(both.exitCode, 2);
}

TEST_F(CliCheckpoint, OneThatCannotBeReadIsNamedAndNotUsed)
{
    std::filesystem::resize_file(m_folder / "digits_conv.safetensors", 1000);
    const CliRun run = runCli({"scopes", file("digits_conv.onnx"), "--json"});
    EXPECT_EQ(run.exitCode, 0);
    EXPECT_THAT(run.err, HasSubstr("found beside the model, is not used as its checkpoint: "));
    EXPECT_EQ(run.out, runCli({"scopes", file("alone.onnx"), "--json"}).out);
}

TEST_F(CliCheckpoint, ItIsNotWrittenOver)
{
    const CliRun run = runCli({"graph", file("digits_conv.onnx"), "--no-checkpoint", "-o", file("graph.dot")});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    const CliRun over
        = runCli({"quantize", file("digits_conv.onnx"), "--data", "random:2", "-o", file("digits_conv.safetensors")});
    EXPECT_NE(over.exitCode, 0) << over.err;
    EXPECT_GT(std::filesystem::file_size(m_folder / "digits_conv.safetensors"), 100'000U);
}

} // namespace
} // namespace duo::test
