// SPDX-License-Identifier: Apache-2.0
// dequantize and convert-state as a user runs them.
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

class CliInterchange : public testing::Test
{
protected:
    [[nodiscard]] std::string path(const std::string& name) const { return (m_folder.path() / name).string(); }
    /// digits_conv.onnx, quantized.
    [[nodiscard]] std::string quantized() const
    {
        const std::string out = path("q.onnx");
        const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", "random:2", "-o", out, "--quiet"});
        EXPECT_LE(run.exitCode, 1) << run.err;
        return out;
    }

private:
    TemporaryFolder m_folder;
};

TEST_F(CliInterchange, DequantizesAnExportToTheFloatModelWithRoundedWeights)
{
    const std::string file = quantized();
    const CliRun run = runCli({"dequantize", file, "-o", path("f.onnx"), "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "dequantize"), "");
    EXPECT_TRUE(run.json()["not_recovered"].empty());
    EXPECT_TRUE(run.json()["kept"].empty());
    const CliRun compared
        = runCli({"compare", sample("digits_conv.onnx"), path("f.onnx"), "--data", "random:4", "--min-sqnr", "30"});
    EXPECT_EQ(compared.exitCode, 0) << compared.out << compared.err;
    const CliRun again = runCli({"dequantize", path("f.onnx"), "--dry-run"});
    EXPECT_EQ(again.exitCode, 1) << "nothing is left to take out";
    EXPECT_THAT(again.out, HasSubstr("0 quantizers found\n"));
}

TEST_F(CliInterchange, SaysWhereToWriteOrNothing)
{
    const CliRun run = runCli({"dequantize", sample("digits_conv.onnx")});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, HasSubstr("error: nothing says where to write: -o: name a file, or ask for --dry-run"));
}

TEST_F(CliInterchange, WritesQuantizersForOtherTools)
{
    const std::string file = quantized();
    for (const char* form : {"aimet-0.6.1", "aimet-1.0.0", "aimet-2.0.0", "ort-overrides", "netron"}) {
        const CliRun run = runCli({"convert-state", file, "--to", form, "--json"});
        EXPECT_EQ(run.exitCode, 0) << run.err;
        EXPECT_EQ(schemaComplaints(run.json(), "convert-state"), "") << form;
        EXPECT_GT(run.json()["tensors"], 20) << form;
        EXPECT_TRUE(nlohmann::json::accept(run.json()["text"].get<std::string>())) << form;
    }
}

TEST_F(CliInterchange, SaysThatAFloatModelHasNothingToConvert)
{
    const CliRun run = runCli({"convert-state", sample("digits_conv.onnx"), "--to", "netron"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_THAT(run.err, HasSubstr("error: the model has no quantizers"));
}

} // namespace
} // namespace duo::test
