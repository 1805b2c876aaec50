// SPDX-License-Identifier: Apache-2.0
// duoscope-layout itself: what it makes of input that is no request, and how it draws.
#include "app/layout/helper_process.h"
#include "app/layout/layout_client.h"
#include "core/graph/layout/layout_protocol.h"
#include "tests/core/graph/degenerate_graphs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

Deadline soon()
{
    return std::chrono::steady_clock::now() + std::chrono::minutes(2);
}

int exitCodeAfter(const std::string& input)
{
    auto program = HelperProcess::start(DUO_LAYOUT_HELPER, {});
    EXPECT_TRUE(program);
    EXPECT_TRUE(program->write(input, soon(), {}));
    program->closeInput();
    EXPECT_TRUE(program->readToEnd(1000, soon(), {}));
    return program->wait();
}

TEST(LayoutProgram, EndsWithItsInput)
{
    EXPECT_EQ(exitCodeAfter(""), 0);
}

TEST(LayoutProgram, RefusesWhatIsNoFrame)
{
    EXPECT_EQ(exitCodeAfter("ab"), 1);
    EXPECT_EQ(exitCodeAfter("\xff\xff\xff\xff lots"), 1);
    EXPECT_EQ(exitCodeAfter(framed("cut off").substr(0, 8)), 1);
}

TEST(LayoutProgram, AnswersAGarbledRequestWithAnErrorAndGoesOn)
{
    auto program = HelperProcess::start(DUO_LAYOUT_HELPER, {});
    ASSERT_TRUE(program);
    const auto ask = [&](const std::string& payload, const LayoutInput& input) {
        EXPECT_TRUE(program->write(framed(payload), soon(), {}));
        const auto header = program->read(kFrameHeader, soon(), {});
        const auto reply = program->read(frameLength(*header), soon(), {});
        return decodeReply(*reply, input);
    };
    EXPECT_EQ(ask("garbage", {}).error().line(), "the layout request cannot be read");
    const LayoutInput input = test::chainOf(2);
    EXPECT_TRUE(ask(encodeRequest(input), input));
}

TEST(LayoutProgram, DrawsGraphsInEachFormat)
{
    LayoutClient client(DUO_LAYOUT_HELPER);
    const std::string dot = "digraph { a -> b }";
    const auto svg = client.draw(dot, "svg");
    const auto png = client.draw(dot, "png");
    const auto pdf = client.draw(dot, "pdf");
    ASSERT_TRUE(svg && png && pdf);
    EXPECT_THAT(*svg, testing::HasSubstr("<svg"));
    EXPECT_THAT(*png, testing::StartsWith("\x89PNG"));
    EXPECT_THAT(*pdf, testing::StartsWith("%PDF"));
    EXPECT_THAT(*pdf, testing::HasSubstr("/CreationDate (D:19700101000000")) << "the same bytes at any time";
}

TEST(LayoutProgram, WhatIsNoGraphIsAnError)
{
    LayoutClient client(DUO_LAYOUT_HELPER);
    EXPECT_EQ(client.draw("digraph {", "svg").error().line(),
        "the picture cannot be drawn as svg: duoscope-layout ended with 3: open fewer scopes, or write .dot");
    EXPECT_EQ(client.draw("digraph { a }", "bmp").error().line(),
        "the picture cannot be drawn as bmp: duoscope-layout ended with 2: open fewer scopes, or write .dot");
}

} // namespace
} // namespace duo
