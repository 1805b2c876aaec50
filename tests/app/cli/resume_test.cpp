// SPDX-License-Identifier: Apache-2.0
// resume under other rules, and from what other tools write.
#include "tests/app/cli/run_cli.h"
#include "tests/support/half_range.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

class CliResume : public testing::Test
{
protected:
    [[nodiscard]] std::string path(const std::string& name) const { return (m_folder / name).string(); }

    /// digits_conv.onnx, quantized under a rule or none.
    [[nodiscard]] std::string quantized(const std::string& rules = {}) const
    {
        const std::string recipe = writeRecipe(m_folder / "q.recipe.json", {.rules = rules, .settings = kHalfRange});
        const std::string out = path("q.onnx");
        const CliRun run = runCli({"quantize", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"),
            "--recipe", recipe, "-o", out, "--quiet"});
        EXPECT_LE(run.exitCode, 1) << run.err;
        return out;
    }

    [[nodiscard]] CliRun resumed(const std::string& state, const std::vector<std::string>& more) const
    {
        std::vector<std::string> call{
            "resume", sample("digits_conv.onnx"), "--state", path(state), "-o", path("again.onnx"), "--json"};
        call.insert(call.end(), more.begin(), more.end());
        return runCli(call);
    }

    [[nodiscard]] std::string ruleFile(const std::string& rules) const
    {
        return writeRecipe(m_folder / "r.recipe.json", {.rules = rules});
    }

    TemporaryFolder m_folder;
};

constexpr const char* kIgnored = R"({"action": "ignore", "kind": "type", "value": "Gemm"})";

TEST_F(CliResume, TakesOutWhatAnotherRuleIgnoresAndKeepsTheRest)
{
    (void)quantized();
    const CliRun run = resumed("q.state.json", {"--rules", ruleFile(kIgnored)});
    ASSERT_EQ(run.exitCode, 0) << run.err << run.out;
    EXPECT_EQ(schemaComplaints(run.json(), "resume"), "");
    const nlohmann::ordered_json continued = run.json()["continued"];
    EXPECT_GT(continued["kept"], 0);
    EXPECT_EQ(continued["made"].size(), 0U);
    EXPECT_GT(continued["gone"].size(), 0U);
    EXPECT_EQ(run.json()["quantizers"], continued["kept"]);
    const CliRun compared = runCli({"compare", "--setup", path("q.state.json"), path("again.state.json")});
    EXPECT_EQ(compared.exitCode, 1);
    EXPECT_THAT(compared.out, testing::Not(HasSubstr("another range")));
}

TEST_F(CliResume, MakesAnewWhatARuleGivesBackAndSaysThatItNeedsData)
{
    (void)quantized(kIgnored);
    const CliRun without = resumed("q.state.json", {"--rules", ruleFile("")});
    EXPECT_EQ(without.exitCode, 3) << without.err;
    EXPECT_THAT(without.err, HasSubstr("that the recipe makes anew are not known: node '"));
    const CliRun run = resumed("q.state.json", {"--rules", ruleFile(""), "--data", sample("digits_calibration.npz")});
    ASSERT_LE(run.exitCode, 1) << run.err << run.out; // 1: perhaps slow
    EXPECT_GT(run.json()["continued"]["made"].size(), 0U);
    EXPECT_EQ(run.json()["continued"]["gone"].size(), 0U);
    EXPECT_TRUE(run.json()["verdict"]["outputs"][0]["good"]);
}

TEST_F(CliResume, GoesOnFromTheModelThatAnotherToolQuantized)
{
    const CliRun run = resumed("q.onnx", {"--rules", ruleFile(kIgnored)});
    EXPECT_EQ(run.exitCode, 3) << "there is no such file yet";
    (void)quantized();
    const CliRun gone = resumed("q.onnx", {"--rules", ruleFile(kIgnored)});
    ASSERT_EQ(gone.exitCode, 0) << gone.err << gone.out;
    EXPECT_GT(gone.json()["continued"]["gone"].size(), 0U);
    EXPECT_FALSE(gone.json()["identical_setup"]);
}

TEST_F(CliResume, StopsForARuleThatMatchesNothingAsQuantizeDoes)
{
    (void)quantized();
    const std::string rules = ruleFile(R"({"action": "ignore", "kind": "name", "value": "/nothing"})");
    const CliRun run = resumed("q.state.json", {"--rules", rules});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_THAT(run.err, HasSubstr("matches nothing"));
    EXPECT_THAT(run.err, HasSubstr("nothing was written"));
    EXPECT_FALSE(std::filesystem::exists(path("again.onnx")));
}

TEST_F(CliResume, DoesNotWriteOverTheModelThatItTakesQuantizersOf)
{
    const std::string model = quantized();
    const CliRun run = runCli({"resume", sample("digits_conv.onnx"), "--state", model, "-o", model});
    EXPECT_EQ(run.exitCode, 5);
    EXPECT_THAT(run.err, HasSubstr("the output would replace a file that is read"));
}

/// What another tool quantizes and our recipe does not is no difference from its state.
TEST_F(CliResume, AStateOfAnotherToolsQuantizersIsWholeBesideItsRecipe)
{
    m_folder.write("e.json", R"({"activation_encodings": {
        "image": [{"bitwidth": 8, "scale": 0.06, "offset": -1}]}, "param_encodings": {}})");
    const CliRun converted = runCli({"convert-state", sample("digits_conv.onnx"), "--from", path("e.json"), "--to",
        "state", "-o", path("e.state.json")});
    ASSERT_LE(converted.exitCode, 1) << converted.err;
    const CliRun run = resumed("e.state.json", {});
    EXPECT_LE(run.exitCode, 1) << run.err << run.out; // 1: no kernel for so few quantizers
    EXPECT_TRUE(run.json()["identical_setup"]);
    EXPECT_THAT(run.out, testing::Not(HasSubstr("same-setup")));
}

} // namespace
} // namespace duo::test
