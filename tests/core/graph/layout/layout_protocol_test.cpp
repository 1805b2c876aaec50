// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout/layout_protocol.h"

#include "core/graph/layout/layered_layout.h"
#include "tests/core/graph/degenerate_graphs.h"

#include <gtest/gtest.h>

#include <random>

namespace duo {
namespace {

LayoutInput withPins(LayoutInput input)
{
    input.pins.resize(input.boxes.size());
    return input;
}

TEST(LayoutProtocol, RequestsAndRepliesSurviveTheJourney)
{
    for (const auto& [name, input] : test::degenerateGraphs()) {
        const auto request = decodeRequest(encodeRequest(input));
        ASSERT_TRUE(request) << name;
        EXPECT_EQ(*request, withPins(input)) << name;
        const auto result = layeredLayout(input);
        const auto reply = decodeReply(encodeReply(result), input);
        ASSERT_TRUE(reply) << name;
        EXPECT_EQ(*reply, *result) << name;
    }
}

TEST(LayoutProtocol, PlacesOnBordersAndTheShapeSurviveTheJourney)
{
    LayoutInput input = test::chainOf(3);
    input.edges[0].leaves = -12.5;
    input.edges[1].enters = 40;
    input.spine = {1, 0};
    input.atTop = {2};
    input.leftFirst = {2, 0};
    input.aspect = 1.5;
    input.spread = 2.5;
    input.keepsPinOrder = true;
    input.pins = {Pin::Beside, Pin::Free, Pin::Bottom};
    const auto request = decodeRequest(encodeRequest(input));
    ASSERT_TRUE(request);
    EXPECT_EQ(*request, input);
}

TEST(LayoutProtocol, AnErrorTravelsAsItsText)
{
    const auto reply = decodeReply(encodeReply(Error{ErrorCode::EngineFailed, "dot ran out of rows", {}, {}}), {});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().line(), "dot ran out of rows");
}

TEST(LayoutProtocol, AnErrorWithoutATextIsRefused)
{
    const auto reply = decodeReply(encodeReply(Error{ErrorCode::EngineFailed, "", {}, {}}), {});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().line(), "the layout reply cannot be read");
}

TEST(LayoutProtocol, TruncatedOrLongerBytesAreRefused)
{
    const LayoutInput input = test::chainOf(3);
    const std::string request = encodeRequest(input);
    const std::string reply = encodeReply(layeredLayout(input));
    for (std::size_t size = 0; size < request.size(); ++size)
        EXPECT_FALSE(decodeRequest(std::string_view(request).substr(0, size)));
    for (std::size_t size = 0; size < reply.size(); ++size)
        EXPECT_FALSE(decodeReply(std::string_view(reply).substr(0, size), input));
    EXPECT_EQ(decodeRequest(request + "x").error().line(), "the layout request cannot be read");
    EXPECT_EQ(decodeReply(reply + "x", input).error().line(), "the layout reply cannot be read");
}

TEST(LayoutProtocol, CountsBeyondTheBytesAllocateNothing)
{
    std::string request = encodeRequest(test::chainOf(3));
    request.replace(4, 4, "\xff\xff\xff\xff");
    EXPECT_FALSE(decodeRequest(request));
}

TEST(LayoutProtocol, GarbageIsRefusedOrValid)
{
    std::mt19937 random(7);
    const LayoutInput input = test::denseOf(5);
    const std::string request = encodeRequest(input);
    const std::string reply = encodeReply(layeredLayout(input));
    for (int round = 0; round < 2000; ++round) {
        std::string bytes = round % 2 == 0 ? request : reply;
        for (int change = 0; change < 3; ++change)
            bytes[random() % bytes.size()] = static_cast<char>(random());
        const auto decodedRequest = decodeRequest(bytes);
        EXPECT_TRUE(!decodedRequest || checkLayoutInput(*decodedRequest));
        const auto decodedReply = decodeReply(bytes, input);
        EXPECT_TRUE(!decodedReply || decodedReply->centers.size() == input.boxes.size());
    }
}

TEST(LayoutProtocol, AReplyMustFitItsRequest)
{
    const std::string reply = encodeReply(layeredLayout(test::chainOf(3)));
    EXPECT_FALSE(decodeReply(reply, test::chainOf(4)));
}

TEST(LayoutProtocol, FramesSayTheirLength)
{
    const std::string frame = framed("hello");
    ASSERT_EQ(frame.size(), 9U);
    EXPECT_EQ(frameLength(frame.substr(0, kFrameHeader)), 5U);
}

} // namespace
} // namespace duo
