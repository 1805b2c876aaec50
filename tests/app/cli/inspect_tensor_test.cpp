// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

const char* const kWeight = "head.fc.weight";

TEST(CliInspectTensor, SaysHowAParameterIsSpreadAndSavesIt)
{
    const TemporaryFolder folder;
    const std::string file = (folder / "w.npy").string();
    const std::vector<std::string> call{"inspect", sample("digits_conv.onnx"), "--tensor", kWeight, "--save", file};
    auto asJson = call;
    asJson.emplace_back("--json");
    const CliRun run = runCli(asJson);
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "inspect"), "");
    const auto tensor = run.json()["tensor"];
    EXPECT_EQ(tensor["name"], kWeight);
    EXPECT_EQ(tensor["axis"], 0);
    EXPECT_EQ(tensor["channels"].size(), tensor["dims"][0].get<std::size_t>());
    EXPECT_EQ(tensor["histogram"].size(), 64U);
    EXPECT_EQ(std::filesystem::file_size(file) % 64, tensor["elements"].get<std::size_t>() * 4 % 64);
    EXPECT_THAT(bytesOf(file), HasSubstr("'descr': '<f4'"));
    const CliRun text = runCli(call);
    EXPECT_THAT(text.out, HasSubstr(std::string(kWeight) + " float32["));
    EXPECT_THAT(text.out, HasSubstr("channels along axis 0:"));
    EXPECT_THAT(text.out, HasSubstr("saved: " + file));
}

TEST(CliInspectTensor, SaysWhatIsMissing)
{
    const CliRun unknown = runCli({"inspect", sample("digits_conv.onnx"), "--tensor", "nothing"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_EQ(unknown.err, "error: the model has no such parameter or constant: nothing: name one as the model does\n");
    const CliRun alone = runCli({"inspect", sample("digits_conv.onnx"), "--save", "w.npy"});
    EXPECT_EQ(alone.exitCode, 2);
    EXPECT_EQ(alone.err, "error: nothing to save: --save w.npy: give --tensor\n");
    const CliRun model = runCli({"inspect", sample("digits_conv.onnx"), "--tensor", kWeight, "--save", "m.onnx"});
    EXPECT_EQ(model.exitCode, 5);
    EXPECT_EQ(model.err, "error: not the name of an array file: m.onnx: let it end in .npy\n");
}

} // namespace
} // namespace duo::test
