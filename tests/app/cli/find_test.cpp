// SPDX-License-Identifier: Apache-2.0
// find as a user runs it.
#include "tests/app/cli/run_cli.h"
#include "tests/support/proto_builder.h"
#include "tests/support/schema_check.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

TEST(CliFind, PrintsWhatTheWindowFinds)
{
    const CliRun run = runCli({"find", sample("digits_conv.onnx"), "type:Conv scope:layer1", "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(schemaComplaints(run.json(), "find"), "");
    const auto found = run.json()["found"];
    ASSERT_FALSE(found.empty());
    for (const auto& thing : found) {
        EXPECT_EQ(thing["kind"], "node");
        EXPECT_EQ(thing["op_type"], "Conv");
        EXPECT_THAT(thing["execution"].get<std::string>(), testing::HasSubstr("layer1"));
    }
}

TEST(CliFind, FindsShapesThatTheFileDoesNotTell)
{
    const TemporaryFolder folder;
    ProtoBuilder model;
    model.input("x", {1, 6, 4}).output("y", {1, 3, 8});
    model.tensor("to", {3}, onnx::TensorProto::INT64).add_int64_data(1);
    auto& to = *model.model().mutable_graph()->mutable_initializer(0);
    to.add_int64_data(3);
    to.add_int64_data(8);
    model.node("Relu", "/relu", {"x"}, {"r"});
    model.node("Reshape", "/reshape", {"r", "to"}, {"s"});
    model.node("Sigmoid", "/sigmoid", {"s"}, {"t"});
    model.node("Tanh", "/tanh", {"t"}, {"y"});
    const auto file = folder.write("m.onnx", model.text());
    const CliRun run = runCli({"find", file.string(), "shape:3x8", "--json"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(run.json()["found"].size(), 3U) << run.out;
}

TEST(CliFind, SaysThatThereIsNothing)
{
    const CliRun run = runCli({"find", sample("digits_conv.onnx"), "nowhere"});
    EXPECT_EQ(run.exitCode, 1);
    EXPECT_EQ(run.out, "no match\n");
}

TEST(CliFind, ListsScopesWithWhatTheyHold)
{
    const CliRun run = runCli({"find", sample("digits_conv.onnx"), "stem"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.out, testing::HasSubstr("execution-scope encoder/stem ("));
    EXPECT_THAT(run.out, testing::HasSubstr(" found\n"));
}

TEST(CliFind, NamesNodesThatWentWhenTheModelWasSimplified)
{
    const TemporaryFolder folder;
    ProtoBuilder model;
    model.input("x", {1, 4}).output("y", {1, 4});
    model.node("Relu", "/drop/Relu", {"x"}, {"r"});
    model.node("Identity", "/drop/out/Identity", {"r"}, {"i"});
    model.node("Sigmoid", "/Sigmoid", {"i"}, {"y"});
    const std::string file = folder.write("m.onnx", model.text()).string();
    const CliRun run = runCli({"find", file, "identity"});
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_EQ(run.out, "/drop/out/Identity (Identity, went when the model was simplified: see explain)\n1 found\n");
    const CliRun json = runCli({"find", file, "identity", "--json"});
    EXPECT_EQ(schemaComplaints(json.json(), "find"), "");
    EXPECT_EQ(json.json()["gone"][0]["execution"], "drop/out");
    EXPECT_EQ(runCli({"find", file, "relu"}).out.find("went"), std::string::npos) << "what stayed is there once";
}

TEST(CliFind, RefusesWhatIsNoQuery)
{
    const CliRun run = runCli({"find", sample("digits_conv.onnx"), "a(", "--regex"});
    EXPECT_EQ(run.exitCode, 2);
    EXPECT_THAT(run.err, testing::HasSubstr("the pattern is not valid at 1"));
}

} // namespace
} // namespace duo::test
