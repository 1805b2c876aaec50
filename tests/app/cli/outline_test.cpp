// SPDX-License-Identifier: Apache-2.0
// outline and inline as a user runs them.
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace duo::test {
namespace {

using testing::HasSubstr;

class CliOutline : public testing::Test
{
protected:
    [[nodiscard]] std::string file(const std::string& name) const { return (m_folder.path() / name).string(); }

private:
    TemporaryFolder m_folder;
};

TEST_F(CliOutline, ComputesTheSameAndComesBackByteByByte)
{
    const std::string model = sample("digits_transformer.onnx");
    const CliRun run = runCli({"outline", model, "--all", "-o", file("f.onnx"), "--json"});
    ASSERT_LE(run.exitCode, 1) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "outline"), "");
    EXPECT_FALSE(run.json()["functions"].empty());
    const CliRun compared = runCli({"compare", model, file("f.onnx"), "--data", "random:2", "--min-sqnr", "120"});
    EXPECT_EQ(compared.exitCode, 0) << compared.out << compared.err;

    const CliRun back = runCli({"inline", file("f.onnx"), "-o", file("back.onnx"), "--json"});
    ASSERT_EQ(back.exitCode, 0) << back.err;
    EXPECT_EQ(schemaComplaints(back.json(), "inline"), "");
    EXPECT_EQ(back.json()["calls"], back.json()["restored"]);
    EXPECT_EQ(bytesOf(file("back.onnx")), bytesOf(model));
}

TEST_F(CliOutline, SaysWhatItWouldDoAndWritesNothing)
{
    const CliRun run = runCli({"outline", sample("digits_conv.onnx"), "--depth", "1", "--dry-run"});
    EXPECT_LE(run.exitCode, 1) << run.err;
    EXPECT_THAT(run.out, HasSubstr(") -> (y)\n"));
    EXPECT_FALSE(std::filesystem::exists(file("f.onnx")));
}

TEST_F(CliOutline, AnExportHasFunctionsWhereTheyAreAskedForAndIsResumedWithThem)
{
    const std::string model = sample("digits_conv.onnx");
    const CliRun flat = runCli({"quantize", model, "--data", "random:2", "-o", file("flat.onnx"), "--json"});
    const CliRun run = runCli({"quantize", model, "--data", "random:2", "--functions", "-o", file("f.onnx"), "--json"});
    ASSERT_LE(run.exitCode, 1) << run.err;
    const auto check = run.json()["checks"].back();
    EXPECT_EQ(check["id"], "functions");
    EXPECT_EQ(check["ok"], true) << check["message"];
    const CliRun compared
        = runCli({"compare", file("flat.onnx"), file("f.onnx"), "--data", "random:2", "--min-sqnr", "120"});
    EXPECT_EQ(compared.exitCode, 0) << compared.out << compared.err;
    const CliRun resumed = runCli({"resume", model, "--state", file("f.state.json"), "-o", file("again.onnx")});
    ASSERT_LE(resumed.exitCode, 1) << resumed.err;
    EXPECT_EQ(bytesOf(file("again.onnx")), bytesOf(file("f.onnx")));
}

/// The program is there for `quantize` only.
TEST_F(CliOutline, AnExportKnowsTheRecordedOrdersAndIsResumedWithoutTheProgram)
{
    const std::string exports = std::string(DUO_TEST_DATA) + "/exports/";
    const std::string model = exports + "keywords.dynamo.onnx";
    const CliRun run = runCli({"quantize", model, "--checkpoint", exports + "keywords.pt2", "--data", "random:2",
        "--functions", "-o", file("f.onnx"), "--json"});
    ASSERT_LE(run.exitCode, 1) << run.err;
    EXPECT_THAT(run.json()["checks"].back()["message"].get<std::string>(),
        HasSubstr("; calls that are not alike have others: Block_2 (1 call: "));
    const CliRun resumed = runCli({"resume", model, "--state", file("f.state.json"), "-o", file("again.onnx")});
    ASSERT_LE(resumed.exitCode, 1) << resumed.err;
    EXPECT_EQ(bytesOf(file("again.onnx")), bytesOf(file("f.onnx")));
    EXPECT_EQ(bytesOf(file("again.state.json")), bytesOf(file("f.state.json")));

    const CliRun back = runCli({"inline", file("f.onnx"), "-o", file("flat.onnx")});
    ASSERT_EQ(back.exitCode, 0) << back.err;
    const CliRun later = runCli({"outline", file("flat.onnx"), "--class", "SecondFirst", "--dry-run"});
    EXPECT_THAT(later.out, HasSubstr("SecondFirst(x, x_1, scale, mask; "));
    EXPECT_THAT(later.out, HasSubstr("as the program that was exported records it"));
}

TEST_F(CliOutline, TakesFunctionsOfARecipe)
{
    std::ofstream(file("r.json")) << R"({"format": "duoscope-recipe", "version": 1, "functions": {"depths": [1]}})";
    const std::string model = sample("digits_conv.onnx");
    const CliRun run = runCli({"outline", model, "--recipe", file("r.json"), "--dry-run"});
    EXPECT_EQ(run.out, runCli({"outline", model, "--depth", "1", "--dry-run"}).out);
}

TEST_F(CliOutline, TheFunctionsOfOthersAreScopesBeforeAndAfterInlining)
{
    const std::string model = data("exports/functions.onnxscript.onnx");
    ASSERT_EQ(runCli({"inline", model, "-o", file("flat.onnx")}).exitCode, 0);
    const auto scopesOf = [](const std::string& path) {
        std::set<std::string> scopes;
        const auto said = runCli({"scopes", path, "--json"}).json();
        for (const auto& node : said["nodes"])
            scopes.insert(node["execution"]);
        return scopes;
    };
    EXPECT_TRUE(scopesOf(model).contains("Block_1/Linear_1"));
    EXPECT_EQ(scopesOf(file("flat.onnx")), scopesOf(model));
    const CliRun again = runCli({"outline", file("flat.onnx"), "--class", "Linear", "--dry-run"});
    EXPECT_THAT(again.out,
        HasSubstr("    4 calls of 2 nodes: Block/Linear, Block/Linear_1, Block_1/Linear, Block_1/Linear_1\n"));
}

TEST_F(CliOutline, RefusesInOneLine)
{
    const std::string model = sample("digits_conv.onnx");
    const CliRun nothing = runCli({"outline", model, "--no-checkpoint", "-o", file("f.onnx")});
    EXPECT_EQ(nothing.exitCode, 2);
    EXPECT_EQ(
        nothing.err, "error: nothing says which modules become functions: give --scope, --class, --depth or --all\n");
    const CliRun nowhere = runCli({"outline", model, "--all"});
    EXPECT_EQ(nowhere.exitCode, 2);
    EXPECT_EQ(nowhere.err, "error: nothing says where to write: -o: name a file, or ask for --dry-run\n");
    const CliRun itself = runCli({"inline", model, "-o", model});
    EXPECT_EQ(itself.exitCode, 5) << itself.err;
    const CliRun unknown = runCli({"inline", model, "--function", "Layer", "--dry-run"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.err, HasSubstr("the model has no function of this name: Layer"));
}

} // namespace
} // namespace duo::test
