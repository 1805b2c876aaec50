// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/call_signatures.h"

#include "tests/core/formats/pt2/small_program.h"
#include "tests/support/torch_programs.h"
#include "tests/support/zip_file.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

constexpr const char* kRoot = "L__self__,,app.Net";
constexpr const char* kBlock = "L__self__,,app.Net;L__self___blk,blk,app.Block";

/// `blk(a, (b, None), mask=h)` of a program that computes h = relu(x), y = blk(...).
std::string blockCalled(const std::string& inputs, const std::string& inSpec, const std::string& name = "blk")
{
    return R"([{"fqn": ""}, {"fqn": "blk"}, {"fqn": ")" + name + R"(", "signature": {"inputs": )" + inputs
        + R"(, "outputs": [{"as_tensor": {"name": "y"}}], "out_spec": "[1, null]", "forward_arg_names": ["a", "pair"],
        "in_spec": )"
        + inSpec + "}}]";
}

constexpr const char* kLeaf = R"({\"type\": null, \"context\": null, \"children_spec\": []})";

std::string inSpec()
{
    const std::string leaf = kLeaf;
    return R"("[1, {\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [)"
           R"({\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [)"
        + leaf + R"(, {\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [)" + leaf + ", " + leaf
        + R"(]}]}, {\"type\": \"builtins.dict\", \"context\": \"[\\\"mask\\\"]\", \"children_spec\": [)" + leaf
        + R"(]}]}]")";
}

constexpr const char* kArguments = R"([{"as_tensor": {"name": "x"}}, {"as_tensor": {"name": "h"}}, {"as_none": true},
    {"as_tensor": {"name": "h"}}])";

/// "blk(a=x, pair_0=h of root, mask=h of root) -> (y of blk)", one line for each.
std::string readBack(const std::string& modules)
{
    const test::TemporaryFolder folder;
    test::SmallProgram program;
    program.nodes = "[" + test::smallNode("x", "h", kRoot) + ", " + test::smallNode("h", "y", kBlock) + "]";
    program.modules = modules;
    test::writeZip(folder / "m.pt2", program.members());
    const auto model = test::readProgram(folder / "m.pt2");
    if (!model)
        return model.error().line();
    const auto listed = [](const std::vector<SignatureValue>& values) {
        std::string text;
        for (const SignatureValue& value : values)
            text += (text.empty() ? "" : ", ") + (value.formal.empty() ? "" : value.formal + "=") + value.value
                + (value.isInput ? "" : " of " + (value.module.empty() ? "root" : value.module));
        return "(" + text + ")";
    };
    std::string text;
    for (const CallSignature& signature : callSignatures(**model))
        text += signature.module + listed(signature.inputs) + " -> " + listed(signature.outputs) + "\n";
    return text;
}

TEST(CallSignatures, ArgumentsAreNamedByForwardAndByKeyword)
{
    EXPECT_EQ(
        readBack(blockCalled(kArguments, inSpec())), "blk(a=x, pair_0=h of root, mask=h of root) -> (y of blk)\n");
}

TEST(CallSignatures, AnotherCallOfAModuleIsOneOfThatModule)
{
    EXPECT_EQ(readBack(blockCalled(kArguments, inSpec(), "blk@1")),
        "blk(a=x, pair_0=h of root, mask=h of root) -> (y of blk)\n");
}

/// The program's only signature, of `blk`, with these nodes.
CallSignature signatureOf(const std::string& nodes)
{
    const test::TemporaryFolder folder;
    test::SmallProgram program;
    program.nodes = nodes;
    program.modules = blockCalled(kArguments, inSpec());
    test::writeZip(folder / "m.pt2", program.members());
    const auto model = test::readProgram(folder / "m.pt2");
    EXPECT_TRUE(model) << model.error().line();
    const auto signatures = model ? callSignatures(**model) : std::vector<CallSignature>();
    EXPECT_EQ(signatures.size(), 1U);
    return signatures.empty() ? CallSignature() : signatures.front();
}

TEST(CallSignatures, SaysWhichArgumentsAreReadAndWhetherTheyAreAll)
{
    const CallSignature all
        = signatureOf("[" + test::smallNode("x", "h", kRoot) + ", " + test::smallNode("h", "y", kBlock) + "]");
    EXPECT_TRUE(all.isClosed);
    EXPECT_FALSE(all.inputs[0].isRead) << "x goes in and is not read there";
    EXPECT_TRUE(all.inputs[1].isRead);
    EXPECT_TRUE(all.outputs[0].isRead);
    const CallSignature side = signatureOf("[" + test::smallNode("x", "h", kRoot) + ", "
        + test::smallNode("h", "s", kRoot) + ", " + test::smallNode("s", "y", kBlock) + "]");
    EXPECT_FALSE(side.isClosed) << "s is read and no argument";
}

TEST(CallSignatures, ARecordThatDoesNotFitItselfIsLeftOut)
{
    EXPECT_EQ(readBack(blockCalled(R"([{"as_tensor": {"name": "x"}}])", inSpec())), "");
    EXPECT_EQ(readBack(blockCalled(kArguments, R"("[1, {")")), "");
    EXPECT_EQ(readBack(blockCalled(kArguments, "17")), "");
    EXPECT_EQ(readBack(blockCalled("17", inSpec())), "");
}

TEST(CallSignatures, AValueThatTheProgramDoesNotHaveIsLeftOut)
{
    EXPECT_EQ(
        readBack(blockCalled(R"([{"as_tensor": {"name": "x"}}, {"as_tensor": {"name": "nobody"}}, 17, {}])", inSpec())),
        "blk(a=x) -> (y of blk)\n");
}

TEST(CallSignatures, AProgramWithoutRecordsHasNone)
{
    EXPECT_EQ(readBack(R"([{"fqn": ""}, {"fqn": "blk", "signature": null}])"), "");
}

} // namespace
} // namespace duo
