// SPDX-License-Identifier: Apache-2.0
// Names that would do something to a terminal, a shell or a program that reads the output.
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace duo::test {
namespace {

TEST(HostileNames, NothingOfAFileReachesTheTerminalAsAControl)
{
    const std::string file = data("hostile/odd_names.onnx");
    for (const std::vector<std::string>& call :
        {std::vector<std::string>{"inspect", file}, {"scopes", file}, {"plan", file}, {"find", file, "type:Relu"},
            {"explain", file, ""}, {"explain", file, "no\x1b[31m such"}}) {
        const CliRun run = runCli(call);
        for (const std::string& printed : {run.out, run.err}) {
            const bool isHarmless = std::ranges::none_of(
                printed, [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7F; });
            EXPECT_TRUE(isHarmless) << call[0] << ": " << printed.substr(0, 300);
        }
    }
}

TEST(HostileNames, NeitherEightBitEscapesNorTurnedDirectionsReachTheTerminal)
{
    const TemporaryFolder folder;
    const std::string odd = "a\u009b31m\u202e\u2028b";
    ProtoBuilder model;
    model.input(odd, {1, 4}).output("y", {1, 4}).weight(odd + "w", {4, 4}, std::vector<float>(16, 0.5F));
    model.node("MatMul", odd + "n", {odd, odd + "w"}, {"y"});
    const std::string file = folder.write("m.onnx", model.text()).string();
    for (const std::vector<std::string>& call : {std::vector<std::string>{"inspect", file}, {"inspect", file, "--json"},
             {"scopes", file}, {"scopes", file, "--json"}, {"plan", file}, {"plan", file, "--json"},
             {"find", file, "type:MatMul"}, {"explain", file, odd + "n"}, {"explain", file, odd}}) {
        const CliRun run = runCli(call);
        for (const std::string& printed : {run.out, run.err})
            for (const char* obeyed : {"\u009b", "\u202e", "\u2028"})
                EXPECT_EQ(printed.find(obeyed), std::string::npos) << call[0] << ": " << printed.substr(0, 300);
    }
}

TEST(HostileNames, FilesMayBeCalledAsOptionsAreOrInNoUtf8)
{
    const TemporaryFolder folder;
    for (const std::string name : {"--help.onnx", "caf\xE9.onnx", "two words '\".onnx", "$(true).onnx"}) {
        const auto file = folder.write(name, bytesOf(sample("digits_conv.onnx")));
        const CliRun run = runCli({"inspect", file.string(), "--json"});
        EXPECT_EQ(run.exitCode, 0) << name << ": " << run.err;
        EXPECT_FALSE(run.json().is_discarded()) << name;
    }
}

TEST(HostileNames, DotFilesHoldQuotesAsText)
{
    const TemporaryFolder folder;
    const std::string out = (folder / "g.dot").string();
    ASSERT_EQ(runCli({"graph", data("hostile/odd_names.onnx"), "-o", out}).exitCode, 0);
    const std::string text = bytesOf(out);
    int quotes = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == '"') {
            ++quotes;
        } else if (text[i] == '\n') {
            EXPECT_EQ(quotes % 2, 0) << "a line of " << out << " ends inside quotes";
        }
    }
}

} // namespace
} // namespace duo::test
