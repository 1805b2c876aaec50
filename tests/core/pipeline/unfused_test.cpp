// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/unfused.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

NodeRun run(const std::string& node, RunsAs runs, PlannedAs as)
{
    NodeRun made{node, runs, {}, {}, {}};
    made.as = as;
    return made;
}

TEST(BetterRun, FewerProductsBetweenQuantizersAreBetter)
{
    const PlanRun before{{run("a", RunsAs::Int8, PlannedAs::Product), run("b", RunsAs::Float, PlannedAs::Product)}, 4};
    const PlanRun now{{run("a", RunsAs::Int8, PlannedAs::Product)}, 4};
    EXPECT_TRUE(isBetterRun(before, now));
    EXPECT_FALSE(isBetterRun(before, before));
}

TEST(BetterRun, WhatComputedInInt8StillHasTo)
{
    const PlanRun before{{run("a", RunsAs::Int8, PlannedAs::Other), run("b", RunsAs::Float, PlannedAs::Product)}, 4};
    const PlanRun now{{run("a", RunsAs::Float, PlannedAs::Other)}, 2};
    EXPECT_FALSE(isBetterRun(before, now));
}

TEST(BetterRun, AnAdditionThatServedOnlyWhatWasTakenOutGoesWithIt)
{
    const PlanRun before{{run("add", RunsAs::Int8, PlannedAs::Other), run("b", RunsAs::Float, PlannedAs::Product)}, 4};
    EXPECT_TRUE(isBetterRun(before, {{}, 1}));
    const PlanRun product{{run("a", RunsAs::Int8, PlannedAs::Product), run("b", RunsAs::Float, PlannedAs::Product)}, 4};
    EXPECT_FALSE(isBetterRun(product, {{}, 1}));
}

TEST(BetterRun, WhatMovesDataNeedNot)
{
    const PlanRun before{{run("a", RunsAs::Int8, PlannedAs::Carried), run("b", RunsAs::Float, PlannedAs::Product)}, 4};
    const PlanRun now{{run("a", RunsAs::Float, PlannedAs::Carried)}, 2};
    EXPECT_TRUE(isBetterRun(before, now));
}

TEST(BetterRun, AdditionsThatFreeNoQuantizerAreKept)
{
    const PlanRun before{{run("a", RunsAs::Int8, PlannedAs::Product), run("add", RunsAs::Float, PlannedAs::Other)}, 4};
    const PlanRun same{{run("a", RunsAs::Int8, PlannedAs::Product)}, 4};
    const PlanRun fewer{{run("a", RunsAs::Int8, PlannedAs::Product)}, 3};
    EXPECT_FALSE(isBetterRun(before, same));
    EXPECT_TRUE(isBetterRun(before, fewer));
}

TEST(PlannedAs, WeightsOnlyAndMovementPromiseNothing)
{
    Node conv;
    conv.opType = "Conv";
    EXPECT_EQ(plannedAs(conv, {NodeState::Quantized, {ReasonCode::InputsOnly}}, {}), PlannedAs::Product);
    EXPECT_EQ(
        plannedAs(conv, {NodeState::Quantized, {ReasonCode::InputsOnly}}, Fallback::WideCodes), PlannedAs::Carried);
    Node add;
    add.opType = "Add";
    EXPECT_EQ(plannedAs(add, {NodeState::Quantized, {ReasonCode::InputsOnly}}, {}), PlannedAs::Other);
    EXPECT_EQ(plannedAs(add, {NodeState::Quantized, {ReasonCode::MovesCodes}}, {}), PlannedAs::Carried);
}

} // namespace
} // namespace duo
