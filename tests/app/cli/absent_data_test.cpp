// SPDX-License-Identifier: Apache-2.0
// A model whose external data are not there is looked at as structure; what needs weights says so.
#include "tests/app/cli/run_cli.h"
#include "tests/support/proto_rewrites.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace duo::test {
namespace {

class CliAbsentData : public testing::Test
{
protected:
    CliAbsentData()
    {
        onnx::ModelProto model;
        std::ifstream file(sample("digits_conv.onnx"), std::ios::binary);
        model.ParseFromIstream(&file);
        m_data = initializersToFile(model, "digits.bin");
        m_model = m_folder.write("digits.onnx", model.SerializeAsString()).string();
    }

    [[nodiscard]] std::string said(const std::string& text) const { return m_folder.withoutPath(text); }

    TemporaryFolder m_folder;
    std::string m_model;
    std::string m_data; // of digits.bin
};

const std::string kAbsent = "the model has no weights here: digits.bin with its external data cannot be found: "
                            "DIR/digits.bin: put the data beside the model, or name their folder with "
                            "--allow-external\n";

TEST_F(CliAbsentData, InspectShowsTheStructureAndSaysSo)
{
    const CliRun run = runCli({"inspect", m_model, "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "inspect"), "");
    const auto whole = runCli({"inspect", sample("digits_conv.onnx"), "--json"}).json();
    EXPECT_EQ(run.json()["op_types"], whole["op_types"]);
    EXPECT_EQ(run.json()["parameters"], whole["parameters"]);
    EXPECT_EQ(run.json()["parameter_bytes"], whole["parameter_bytes"]);
    EXPECT_EQ(run.json()["notes"].back()["kind"], "absent-data");
    EXPECT_EQ(run.json()["notes"].back()["where"], "digits.bin");
}

TEST_F(CliAbsentData, ScopesAreThoseOfTheWholeModel)
{
    const CliRun run = runCli({"scopes", m_model, "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(said(run.err), "note: " + kAbsent);
    EXPECT_EQ(run.json(), runCli({"scopes", sample("digits_conv.onnx"), "--no-checkpoint", "--json"}).json());
}

TEST_F(CliAbsentData, WhatNeedsWeightsRefusesInOneLine)
{
    const std::string target = (m_folder / "out.onnx").string();
    for (const std::vector<std::string>& arguments : {
             std::vector<std::string>{"quantize", m_model, "--data", "random:1", "-o", target, "--quiet"},
             std::vector<std::string>{"plan", m_model, "--quiet"},
             std::vector<std::string>{"resume", m_model, "--state", target, "-o", target, "--quiet"},
             std::vector<std::string>{"statistics", m_model, "--data", "random:1", "-o", target, "--quiet"},
             std::vector<std::string>{"sensitivity", m_model, "--data", "random:1", "--quiet"},
             std::vector<std::string>{"compare", m_model, m_model, "--data", "random:1", "--quiet"},
         }) {
        const CliRun run = runCli(arguments);
        EXPECT_EQ(run.exitCode, 3) << arguments.front();
        EXPECT_EQ(said(run.err), "error: " + kAbsent) << arguments.front();
    }
    EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(CliAbsentData, IsFoundInTheFolderThatIsNamed)
{
    const auto data = m_folder.write("elsewhere/digits.bin", m_data);
    const CliRun run = runCli({"plan", m_model, "--allow-external", data.parent_path().string(), "--json"});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    auto plan = run.json();
    EXPECT_GT(plan.at("bytes_before"), m_data.size());
    auto ofWhole = runCli({"plan", sample("digits_conv.onnx"), "--json"}).json();
    for (const char* size : {"bytes_before", "bytes_after"}) { // of one file more
        plan.erase(size);
        ofWhole.erase(size);
    }
    EXPECT_EQ(plan, ofWhole);
    EXPECT_EQ(runCli({"plan", m_model, "--json"}).json().count("bytes_before"), 0) << "of the model alone";
}

} // namespace
} // namespace duo::test
