// SPDX-License-Identifier: Apache-2.0
// quantize --deploy as a user runs it.
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace duo::test {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

class CliDeploy : public testing::Test
{
protected:
    [[nodiscard]] fs::path folder() const { return m_folder.path() / "new" / "out"; }
    [[nodiscard]] CliRun deploy(const std::vector<std::string>& more = {"--data", "random:2"}) const
    {
        std::vector<std::string> arguments{"quantize", sample("digits_conv.onnx"), "--deploy", folder().string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return runCli(arguments);
    }

private:
    TemporaryFolder m_folder;
};

TEST_F(CliDeploy, WritesAllThatBelongsToAModel)
{
    const CliRun run = deploy({"--data", "random:2", "--json"});
    ASSERT_LE(run.exitCode, 1) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "quantize"), "");
    for (const char* file :
        {"digits_conv.onnx", "digits_conv.state.json", "digits_conv.recipe.json", "checks.json", "report.html",
            "graph.svg", "overlay.netron.json", "overlay.model_explorer.json", "graph.model_explorer.json",
            "encodings.aimet.json", "overrides.ort.json", "sample/0.bin", "run.py", "run.cpp"}) {
        EXPECT_TRUE(fs::is_regular_file(folder() / file)) << file;
        EXPECT_THAT(run.out, HasSubstr(file));
    }
    const auto checks = nlohmann::ordered_json::parse(bytesOf(folder() / "checks.json"));
    EXPECT_EQ(schemaComplaints(checks, "quantize"), "");
    const std::string page = bytesOf(folder() / "report.html");
    EXPECT_THAT(page, HasSubstr("<svg"));
    EXPECT_THAT(page, HasSubstr(">quantized, ")) << "the picture has a legend";
    EXPECT_THAT(page, HasSubstr("<a href=\"digits_conv.onnx\">"));
    EXPECT_EQ(fs::file_size(folder() / "sample" / "0.bin"), 8U * 8U * sizeof(float));
    const CliRun again = runCli({"quantize", sample("digits_conv.onnx"), "--data", "random:2", "--recipe",
        (folder() / "digits_conv.recipe.json").string(), "-o", (folder() / "again.onnx").string()});
    EXPECT_EQ(bytesOf(folder() / "again.onnx"), bytesOf(folder() / "digits_conv.onnx")) << again.err;
}

TEST_F(CliDeploy, TakesAFolderWhoseNameIsNoText)
{
    const TemporaryFolder around;
    const fs::path named = around.path() / "d\xFE";
    const CliRun run
        = runCli({"quantize", data("cases/a_sibling.onnx"), "--data", "random:2", "--deploy", named.string()});
    EXPECT_LE(run.exitCode, 1) << run.err;
    EXPECT_THAT(bytesOf(named / "checks.json"), HasSubstr("d\xEF\xBF\xBD/")) << "a replacement character";
}

TEST_F(CliDeploy, DoesNotMixTwoModelsInOneFolder)
{
    ASSERT_LE(deploy().exitCode, 1);
    ASSERT_LE(deploy().exitCode, 1) << "the same model again";
    const CliRun other
        = runCli({"quantize", sample("digits_transformer.onnx"), "--data", "random:2", "--deploy", folder().string()});
    EXPECT_EQ(other.exitCode, 5);
    EXPECT_THAT(other.err,
        HasSubstr("the folder holds the deployment of 'digits_conv.onnx': " + folder().string()
            + ": name another folder, or empty this one"));
    EXPECT_FALSE(fs::exists(folder() / "digits_transformer.onnx"));
}

TEST_F(CliDeploy, IsThereWholeOrNotAtAll)
{
    fs::create_directories(folder() / "report.html" / "in the way");
    const CliRun cut = deploy();
    EXPECT_EQ(cut.exitCode, 5) << cut.err;
    EXPECT_THAT(cut.err, HasSubstr("report.html: Is a directory"));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1) << "report.html alone";
    fs::remove_all(folder() / "report.html");
    ASSERT_LE(deploy().exitCode, 1);
    const std::string page = bytesOf(folder() / "report.html");
    fs::remove(folder() / "run.cpp");
    fs::create_directory(folder() / "run.cpp");
    EXPECT_EQ(deploy({"--data", "random:3"}).exitCode, 5);
    EXPECT_EQ(bytesOf(folder() / "report.html"), page);
    EXPECT_TRUE(fs::is_regular_file(folder() / "sample" / "0.bin"));
}

TEST_F(CliDeploy, TheCppProgramLoadsTheModelAndRunsIt)
{
    ASSERT_LE(deploy().exitCode, 1);
    const std::string program = (folder() / "run").string();
    const std::string build = std::string(DUO_CXX) + " -std=c++17 -Wall -Wextra -Werror '"
        + (folder() / "run.cpp").string() + "' -isystem '" + DUO_ORT_HEADERS + "' '" + DUO_ORT_LIBRARY
        + "' -Wl,-rpath,'" + fs::path(DUO_ORT_LIBRARY).parent_path().string() + "' -o '" + program + "'";
    ASSERT_EQ(std::system(build.c_str()), 0) << build;
    const std::string out = (folder() / "printed").string();
    ASSERT_EQ(std::system(("'" + program + "' '" + folder().string() + "' > '" + out + "'").c_str()), 0);
    EXPECT_THAT(bytesOf(out), testing::StartsWith("logits [ 1 10 ] "));
}

TEST_F(CliDeploy, WithStatisticsAloneHasNoSampleAndNoPrograms)
{
    const std::string statistics = (folder().parent_path().parent_path() / "s.npz").string();
    ASSERT_EQ(runCli({"statistics", sample("digits_conv.onnx"), "--data", "random:2", "-o", statistics}).exitCode, 0);
    const CliRun run = deploy({"--statistics", statistics});
    ASSERT_LE(run.exitCode, 1) << run.err;
    EXPECT_TRUE(fs::exists(folder() / "report.html"));
    EXPECT_FALSE(fs::exists(folder() / "run.py"));
    EXPECT_FALSE(fs::exists(folder() / "sample"));
}

TEST_F(CliDeploy, DoesNotWriteOverTheModelOrTheRecipe)
{
    fs::create_directories(folder());
    const fs::path model = folder() / "digits_conv.onnx";
    fs::copy_file(sample("digits_conv.onnx"), model);
    const CliRun overModel = runCli({"quantize", model.string(), "--data", "random:2", "--deploy", folder().string()});
    EXPECT_EQ(overModel.exitCode, 5) << overModel.err;
    EXPECT_EQ(bytesOf(model), bytesOf(sample("digits_conv.onnx")));
    fs::remove(model);
    const std::string recipe = writeRecipe(folder() / "digits_conv.recipe.json", {});
    const CliRun overRecipe = deploy({"--data", "random:2", "--recipe", recipe});
    EXPECT_EQ(overRecipe.exitCode, 5) << overRecipe.err;
    EXPECT_THAT(overRecipe.err, HasSubstr("digits_conv.recipe.json"));
}

TEST_F(CliDeploy, LeavesNoFolderBehindWhereNothingIsWritten)
{
    const CliRun run = deploy({"--data", "nowhere.npz"});
    EXPECT_EQ(run.exitCode, 3) << run.err;
    EXPECT_FALSE(fs::exists(folder().parent_path()));
}

TEST_F(CliDeploy, LeavesNoFolderBehindWhereTheExportFails)
{
    const CliRun run = deploy({"--data", "random:2", "--metric", "false {model}"});
    EXPECT_EQ(run.exitCode, 3) << run.err;
    EXPECT_FALSE(fs::exists(folder().parent_path()));
    fs::create_directories(folder());
    EXPECT_EQ(deploy({"--data", "random:2", "--metric", "false {model}"}).exitCode, 3);
    EXPECT_TRUE(fs::is_empty(folder())) << "it was there before";
}

TEST_F(CliDeploy, LeavesALinkThatLeadsNowhere)
{
    fs::create_directories(folder().parent_path());
    for (const char* target : {"nowhere", "out"}) {
        fs::create_symlink(target, folder());
        const CliRun run = deploy({"--data", "random:2"});
        EXPECT_EQ(run.exitCode, 5) << run.err;
        EXPECT_THAT(run.err, HasSubstr("error: the folder cannot be made"));
        EXPECT_TRUE(fs::remove(folder())) << target;
    }
}

TEST_F(CliDeploy, WritesNothingThroughALinkInTheFolder)
{
    const TemporaryFolder elsewhere;
    fs::create_directories(folder());
    fs::create_directory_symlink(elsewhere.path(), folder() / "sample");
    const CliRun run = deploy({"--data", "random:2"});
    EXPECT_EQ(run.exitCode, 5) << run.err;
    EXPECT_THAT(run.err, HasSubstr("error: a folder is wanted where a link lies"));
    EXPECT_TRUE(fs::is_empty(elsewhere.path()));
}

TEST_F(CliDeploy, SaysWhereToWriteOrNothing)
{
    const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", "random:2"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, HasSubstr("error: nothing says where to write: give -o FILE, or --deploy FOLDER"));
}

} // namespace
} // namespace duo::test
