// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/json_pieces.h"

#include "core/formats/pt2/python_numbers.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

struct Read {
    std::vector<std::string> pieces; // "container|key|value"
    std::size_t leftOut = 0;
    std::string error;
};

Read read(const std::string& text, JsonPieceOptions options = {})
{
    Read result;
    const auto take = [&](JsonPiece&& piece) {
        result.pieces.push_back(std::string(piece.container) + "|" + piece.key + "|" + piece.value.dump());
        return success();
    };
    const auto done = readJsonPieces(std::as_bytes(std::span(text)), "p.json", options, take, {});
    result.leftOut = done ? done->leftOutTexts : 0;
    result.error = done ? "" : done.error().line();
    return result;
}

using Pieces = std::vector<std::string>;

TEST(JsonPieces, MembersOfOpenedContainersComeOneByOne)
{
    JsonPieceOptions options;
    options.opened = {"graph", "graph/nodes"};
    const Read result = read(R"({"v": 1, "graph": {"nodes": [{"a": [1, 2]}, 7], "x": {"nodes": []}}})", options);
    EXPECT_EQ(
        result.pieces, (Pieces{"|v|1", R"(graph/nodes||{"a":[1,2]})", "graph/nodes||7", R"(graph|x|{"nodes":[]})"}));
}

TEST(JsonPieces, ObjectsKeepTheirOrder)
{
    EXPECT_EQ(read(R"({"o": {"b": 1, "a": 2}})").pieces, Pieces{R"(|o|{"b":1,"a":2})"});
}

TEST(JsonPieces, NumbersOfPythonComeAsTexts)
{
    EXPECT_EQ(read(R"({"a": [NaN, -Infinity, Infinity, -1], "s": "NaN \" Infinity"})").pieces,
        (Pieces{R"(|a|["NaN","-Infinity","Infinity",-1])", R"(|s|"NaN \" Infinity")"}));
    EXPECT_FALSE(quotePythonNumbers(R"({"s": "NaN"})"));
}

TEST(JsonPieces, LongTextsBeyondTheLimitAreLeftOut)
{
    JsonPieceOptions options;
    options.opened = {"nodes"};
    options.longTexts = {"trace"};
    options.longTextBytes = 4;
    const Read result = read(R"({"nodes": [{"trace": "abc", "n": "abcdef"}, {"trace": "def"}]})", options);
    EXPECT_EQ(result.pieces, (Pieces{R"(nodes||{"trace":"abc","n":"abcdef"})", "nodes||{}"}));
    EXPECT_EQ(result.leftOut, 1U);
}

TEST(JsonPieces, WhatIsNoJsonIsRefusedWithItsPlace)
{
    EXPECT_EQ(read(R"({"a": 1,})").error,
        "not valid JSON: p.json byte 9: export the model again, or copy or download the file again");
    EXPECT_EQ(
        read("").error, "not valid JSON: p.json byte 1: export the model again, or copy or download the file again");
    EXPECT_EQ(read("{} x").error,
        "not valid JSON: p.json byte 4: export the model again, or copy or download the file again");
    EXPECT_EQ(read("[1]").error, "the document is no object: p.json: export the model again");
    EXPECT_EQ(read("3").error, "the document is no object: p.json: export the model again");
}

TEST(JsonPieces, DeepNestingIsRefused)
{
    const std::string text = R"({"a": )" + std::string(100'000, '[');
    EXPECT_EQ(read(text).error, "the document is nested too deeply: p.json: export the model again");
}

TEST(JsonPieces, AnErrorOfTheTakerEndsTheReading)
{
    const std::string text = R"({"a": 1, "b": 2})";
    int taken = 0;
    const auto take = [&](JsonPiece&&) -> Status {
        ++taken;
        return Error{ErrorCode::Unsupported, "enough", "here", {}};
    };
    const auto done = readJsonPieces(std::as_bytes(std::span(text)), "p.json", {}, take, {});
    EXPECT_EQ(done.error().line(), "enough: here");
    EXPECT_EQ(taken, 1);
}

TEST(JsonPieces, AStopIsHeard)
{
    std::stop_source stop;
    stop.request_stop();
    const std::string text = R"({"a": 1})";
    const auto take = [](JsonPiece&&) { return success(); };
    const auto done
        = readJsonPieces(std::as_bytes(std::span(text)), "p.json", {}, take, JobContext{stop.get_token(), {}});
    EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace duo
