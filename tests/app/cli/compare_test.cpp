// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::HasSubstr;

namespace duo::test {
namespace {

std::vector<std::string> compareCall(
    const std::string& a, const std::string& b, const std::vector<std::string>& more = {})
{
    std::vector<std::string> call{"compare", sample(a), sample(b), "--data", sample("digits_test.npz")};
    call.insert(call.end(), more.begin(), more.end());
    return call;
}

TEST(CliCompare, SaysThatASampleIsIdenticalToItself)
{
    for (const std::string model : {"digits_conv.onnx", "digits_transformer.onnx"}) {
        const CliRun run = runCli(compareCall(model, model, {"--labels", "labels", "--min-sqnr", "100", "--json"}));
        ASSERT_EQ(run.exitCode, 0) << run.out << run.err;
        const auto json = run.json();
        EXPECT_EQ(schemaComplaints(json, "compare"), "");
        EXPECT_TRUE(json["outputs"][0]["identical"]);
        EXPECT_EQ(json["outputs"][0]["sqnr_db"], nullptr);
        EXPECT_EQ(json["top1"]["agreement"], 1.0);
        EXPECT_GT(json["top1"]["a"], 0.9);
        EXPECT_EQ(json["bytes"]["a"], json["bytes"]["b"]);
        EXPECT_FALSE(json["values"].empty());
    }
}

TEST(CliCompare, EndsWithOneWhenTheSqnrIsMissed)
{
    const CliRun run = runCli(compareCall("digits_conv.onnx", "digits_transformer.onnx", {"--min-sqnr", "40"}));
    EXPECT_EQ(run.exitCode, 1) << run.err;
    EXPECT_THAT(run.out, HasSubstr("findings\n"));
    EXPECT_THAT(run.out, HasSubstr("40 dB are wanted"));
}

TEST(CliCompare, EndsWithOneWhenInputsDoNotCorrespond)
{
    const CliRun run
        = runCli({"compare", data("models/opset13.onnx"), sample("digits_conv.onnx"), "--data", "random:1", "--json"});
    ASSERT_EQ(run.exitCode, 1) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "compare"), "");
    EXPECT_EQ(run.json()["latency_ms"], nullptr);
    EXPECT_FALSE(run.json()["findings"].empty());
}

TEST(CliCompare, NamesTheModelItCannotRead)
{
    const CliRun run = runCli({"compare", sample("digits_conv.onnx"), "/no/such.onnx", "--data", "random:1"});
    EXPECT_EQ(run.exitCode, 3);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, HasSubstr("/no/such.onnx"));
}

} // namespace
} // namespace duo::test
