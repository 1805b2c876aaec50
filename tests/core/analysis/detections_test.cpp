// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/detections.h"

#include "core/analysis/outputs_apart.h"
#include "core/onnx/reader.h"
#include "core/support/bytes_of.h"
#include "tests/support/proto_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

/// Boxes of so many coordinates and scores of so many classes, joined along the second axis as "y".
test::ProtoBuilder& detector(test::ProtoBuilder& network, std::int64_t coordinates, std::int64_t classes)
{
    network.input("x", {1, 2, 5}).output("y", {1, coordinates + classes, 5});
    network.weight("b", {coordinates, 2, 1}).weight("c", {classes, 2, 1});
    network.node("Conv", "box", {"x", "b"}, {"boxes"});
    network.node("Conv", "class", {"x", "c"}, {"logits"});
    network.node("Sigmoid", "score", {"logits"}, {"scores"});
    test::addInt(network.node("Concat", "join", {"boxes", "scores"}, {"y"}), "axis", 1);
    return network;
}

std::optional<ScoreRows> rowsOf(const test::ProtoBuilder& network, const char* output = "y")
{
    const auto model = *readModelBytes(network.bytes(), "m.onnx");
    return scoreRowsOf(*model, model->findValue(output));
}

TEST(Detections, ScoresAreASigmoidBesideFourCoordinates)
{
    test::ProtoBuilder network;
    const auto rows = rowsOf(detector(network, 4, 3));
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->axis, 1U);
    EXPECT_EQ(rows->first, 4);
    EXPECT_EQ(rows->count, 3);
}

TEST(Detections, ScoresAreFoundBehindATranspose)
{
    test::ProtoBuilder network;
    detector(network, 4, 3).output("t", {1, 5, 7});
    auto* perm = network.node("Transpose", "turn", {"y"}, {"t"}).add_attribute();
    perm->set_name("perm");
    perm->set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t axis : {0, 2, 1})
        perm->add_ints(axis);
    const auto rows = rowsOf(network, "t");
    ASSERT_TRUE(rows);
    EXPECT_EQ(rows->axis, 2U);
    EXPECT_EQ(rows->first, 4);
}

TEST(Detections, WhatMayBeBoxesIsNotTakenForScores)
{
    test::ProtoBuilder four;
    EXPECT_FALSE(rowsOf(detector(four, 4, 4))) << "boxes may be scaled by a Sigmoid";
    test::ProtoBuilder landmarks;
    EXPECT_FALSE(rowsOf(detector(landmarks, 10, 3))) << "nothing has four coordinates";
}

HostTensor output(const std::vector<float>& values)
{
    return {"y", ElementType::Float32, {1, 3, static_cast<std::int64_t>(values.size()) / 3}, bytesOf(values)};
}

TEST(Detections, AgreeWhereBothReportTheSameClass)
{
    // a coordinate, and two classes, at five positions
    const HostTensor a = output({100, 100, 100, 100, 100, 0.9F, 0.9F, 0.9F, 0.1F, 0.26F, 0, 0, 0, 0, 0});
    const HostTensor b = output({999, 100, 100, 100, 100, 0.8F, 0.1F, 0.3F, 0.2F, 0.25F, 0, 0.7F, 0.2F, 0, 0});
    const auto found = detectionsOf(viewOf(a), viewOf(b), {1, 1, 2});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->all, 4) << "nobody reports the fourth";
    EXPECT_EQ(found->agreeing, 3) << "the second is another class; the fifth is a tie";
    EXPECT_EQ(uncommon(*found), 4) << "nothing is the commonest answer";
}

TEST(Detections, NoneLeaveAgreementUnknown)
{
    const HostTensor nothing = output({100, 0.1F, 0});
    EXPECT_EQ(apartIn(viewOf(nothing), viewOf(nothing), {ScoreRows{1, 1, 2}}).agreement(), std::nullopt);
    const HostTensor one = output({100, 0.9F, 0});
    EXPECT_EQ(apartIn(viewOf(one), viewOf(one), {ScoreRows{1, 1, 2}}).agreement(), 1.0);
}

} // namespace
} // namespace duo
