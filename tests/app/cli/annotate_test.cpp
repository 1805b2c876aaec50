// SPDX-License-Identifier: Apache-2.0
// annotate as a user runs it.
#include "tests/app/cli/run_cli.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CliAnnotate : public testing::Test
{
protected:
    [[nodiscard]] std::string file(const std::string& name) const { return (m_folder.path() / name).string(); }

private:
    TemporaryFolder m_folder;
};

std::string textOf(const std::string& path)
{
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

const std::string kProgram = data("checkpoints/exported.pt2");

TEST_F(CliAnnotate, CountsObjectsPathsAndNodes)
{
    const CliRun run = runCli({"annotate", kProgram, "--root", "blk", "--set", "use_orig_params=true", "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "annotate"), "");
    EXPECT_EQ(run.json()["identity"], "program");
    EXPECT_EQ(run.json()["counts"]["modules"], 2);
    EXPECT_EQ(run.json()["counts"]["paths"], 4);
    EXPECT_EQ(run.json()["modules"][1]["aliases"][0], "alias.lin");
    EXPECT_EQ(run.json()["modules"][1]["settings"]["use_orig_params"], true);
}

TEST_F(CliAnnotate, SaysWhatIsMarked)
{
    const CliRun run = runCli({"annotate", kProgram, "--root", "", "--ignored", "blk", "--ignored", "aux"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("mark the model without blk, aux: 8 modules, 2 ignored\n"));
    EXPECT_THAT(run.out, HasSubstr("    blk.lin = alias.lin  Linear\n"));
    EXPECT_THAT(run.out, HasSubstr("which paths are one module follows from the tensors and calls of the program"));
}

TEST_F(CliAnnotate, MarksAreKeptInARecipeAndAddUp)
{
    const std::string recipe = file("m.recipe.json");
    EXPECT_EQ(runCli({"annotate", kProgram, "--root", "seq", "-o", recipe}).exitCode, 0);
    const CliRun more = runCli({"annotate", kProgram, "--recipe", recipe, "--root", "aux", "--json"});
    EXPECT_EQ(more.json()["marks"].size(), 2U);
    EXPECT_EQ(more.json()["counts"]["modules"], 5);
    EXPECT_EQ(schemaComplaints(nlohmann::ordered_json::parse(textOf(recipe)), "recipe"), "");
}

TEST_F(CliAnnotate, AModelHoldsItsMarks)
{
    const std::string marked = file("m.onnx");
    const CliRun run = runCli({"annotate", sample("digits_conv.onnx"), "--no-checkpoint", "--root", "encoder", "--set",
        "unit=1", "-o", marked, "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    const CliRun again = runCli({"annotate", marked, "--json"});
    EXPECT_EQ(again.exitCode, 0) << again.err;
    EXPECT_EQ(again.json()["counts"], run.json()["counts"]);
    EXPECT_EQ(again.json()["modules"], run.json()["modules"]);
    const CliRun compared
        = runCli({"compare", sample("digits_conv.onnx"), marked, "--data", "random:1", "--min-sqnr", "120"});
    EXPECT_EQ(compared.exitCode, 0) << compared.err;
}

TEST_F(CliAnnotate, AnExportKeepsTheMarksOfItsRecipe)
{
    const std::string recipe = file("m.recipe.json");
    const std::string out = file("m.int8.onnx");
    EXPECT_EQ(runCli({"annotate", sample("digits_conv.onnx"), "--root", "encoder", "-o", recipe}).exitCode, 0);
    const CliRun run = runCli(
        {"quantize", sample("digits_conv.onnx"), "--data", "random:2", "--recipe", recipe, "-o", out, "--quiet"});
    EXPECT_LE(run.exitCode, 1) << run.err;
    EXPECT_EQ(runCli({"annotate", out, "--json"}).json()["marks"][0]["mark"]["root"], "encoder");
    EXPECT_EQ(schemaComplaints(nlohmann::ordered_json::parse(textOf(file("m.int8.state.json"))), "state"), "");
    EXPECT_THAT(textOf(file("m.int8.state.json")), HasSubstr("\"root\":\"encoder\""));
}

TEST_F(CliAnnotate, RulesFollowMarksAndMarksRules)
{
    const std::string recipe = file("m.recipe.json");
    const CliRun marked = runCli(
        {"annotate", sample("digits_conv.onnx"), "--root", "encoder", "--as-rules", "ignore", "-o", recipe, "--json"});
    EXPECT_EQ(marked.exitCode, 0) << marked.err;
    const CliRun match = runCli({"match", sample("digits_conv.onnx"), "--recipe", recipe, "--json"});
    const std::size_t gone = 4; // Constants, which are initializers once the model is simplified
    EXPECT_EQ(match.json()["ignored"].size() + gone, marked.json()["counts"]["nodes"].get<std::size_t>());
    const CliRun back = runCli({"annotate", sample("digits_conv.onnx"), "--recipe", recipe, "--from-rules", "--json"});
    EXPECT_EQ(back.json()["marks"][1]["mark"]["root"], "encoder");
    EXPECT_EQ(back.json()["counts"], marked.json()["counts"]);
}

TEST_F(CliAnnotate, PythonGoesOutAndComesBack)
{
    const std::string script = file("m.py");
    EXPECT_EQ(runCli({"annotate", kProgram, "--root", "", "--ignored", "seq.1", "-o", script}).exitCode, 0);
    EXPECT_EQ(textOf(script), "root = model\nignored_modules = [\n    model.get_submodule(\"seq.1\"),\n]\n");
    const CliRun back = runCli({"annotate", kProgram, "--from", script, "--json"});
    EXPECT_EQ(back.json()["marks"][0]["mark"]["ignored"][0], "seq.1");
    const CliRun shard = runCli({"annotate", kProgram, "--root", "seq", "--snippet", "fully-shard"});
    EXPECT_THAT(shard.out, HasSubstr("    fully_shard(module, ignored_params=ignored_params)\n"));
}

TEST_F(CliAnnotate, WhatIsNotThereIsSaidAndNothingIsWritten)
{
    const std::string recipe = file("m.recipe.json");
    const CliRun run = runCli({"annotate", kProgram, "--root", "blc", "-o", recipe});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_THAT(run.err, HasSubstr("'mark blc' marks nothing: there is no module 'blc'; perhaps blk"));
    EXPECT_FALSE(std::filesystem::exists(recipe));
}

TEST_F(CliAnnotate, RefusesInOneLine)
{
    const CliRun nothing = runCli({"annotate", kProgram});
    EXPECT_EQ(nothing.exitCode, 2);
    EXPECT_EQ(nothing.err, "error: nothing says what to mark: --root: name a module, or \"\" for the model\n");
    EXPECT_EQ(runCli({"annotate", kProgram, "--root", "", "--set", "x"}).exitCode, 2);
    EXPECT_EQ(runCli({"annotate", kProgram, "--root", "", "-o", file("m.onnx")}).exitCode, 3);
    const std::string itself = sample("digits_conv.onnx");
    EXPECT_EQ(runCli({"annotate", itself, "--root", "", "-o", itself}).exitCode, 5);
}

} // namespace
} // namespace duo::test
