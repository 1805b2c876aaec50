// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/node_outcomes.h"

#include "core/pipeline/calibration/kept_snapshot.h"
#include "core/report/decision_sentences.h"
#include "tests/core/pipeline/unfused_tail.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;

class NodeOutcomesTest : public testing::Test
{
protected:
    static Snapshot opened(const std::filesystem::path& path)
    {
        auto snapshot = openSnapshot(path);
        EXPECT_TRUE(snapshot) << snapshot.error().line();
        return *std::move(snapshot);
    }
    static std::string textOfTail()
    {
        ProtoBuilder model;
        addUnfusedTail(model);
        model.node("Tanh", "out", {"b"}, {"y"});
        return model.text();
    }
    [[nodiscard]] static Decision of(const Snapshot& snapshot, const Placement& placement, const std::string& node)
    {
        return placement.decisions[snapshot.model->findNode(node).index];
    }

    TemporaryFolder m_folder;
    Snapshot m_planned = opened(m_folder.write("m.onnx", textOfTail()));
    NodeId m_tail = m_planned.model->findNode("tail");
    Snapshot m_made = *withKeptFloat(m_planned, {{m_tail, RecordedKept{"it ran in float", "it would if"}}});
};

TEST_F(NodeOutcomesTest, HasWhatIsNotAsPlannedAndMakesItAgain)
{
    const NodeOutcomes outcomes = nodeOutcomes(m_planned, m_made);
    std::vector<std::string> nodes;
    for (const NodeOutcome& other : outcomes.others) {
        for (std::uint32_t i = other.nodes.first; i <= other.nodes.last; ++i)
            nodes.push_back(m_planned.model->nodes[i].name);
    }
    EXPECT_THAT(nodes, testing::ElementsAre("mean", "vector", "tail")); // two of them serve the third alone
    EXPECT_EQ(outcomes.others.back().state, NodeState::Preset);
    EXPECT_EQ(outcomes.why[outcomes.others.back().why], (OutcomeWords{{"it ran in float"}, {"it would if"}}));
    const auto again = placementWith(opened(m_folder / "m.onnx"), outcomes, {});
    ASSERT_TRUE(again && *again);
    EXPECT_EQ((*again)->setup, m_made.placement->setup);
    for (std::uint32_t i = 0; i < m_planned.model->nodes.size(); ++i) {
        const NodeId node(i);
        EXPECT_EQ((*again)->decisions[i].state, m_made.placement->decisions[i].state) << i;
        EXPECT_EQ(whyText(*m_planned.model, **again, node), whyText(*m_planned.model, *m_made.placement, node)) << i;
    }
}

TEST_F(NodeOutcomesTest, TellsAnyStateInItsWords)
{
    NodeOutcomes outcomes = nodeOutcomes(m_planned, m_made);
    const auto at = [&](const char* name) { return m_planned.model->findNode(name).index; };
    const auto only = [&](const char* name) { return NodeSpan{at(name), at(name)}; };
    outcomes.why = {{{"it is behind ", ""}, {"it would without ", ""}}};
    outcomes.others = {{only("tail"), NodeState::Blocked, 0, {at("first"), at("squash")}},
        {only("squash"), NodeState::Preset, 0, {at("first"), at("tail")}}};
    const auto made = placementWith(m_planned, outcomes, {});
    ASSERT_TRUE(made && *made);
    EXPECT_EQ(of(m_planned, **made, "tail").state, NodeState::Blocked);
    EXPECT_EQ(of(m_planned, **made, "squash").state, NodeState::Preset);
    EXPECT_EQ(of(m_planned, **made, "first").state, NodeState::Quantized);
    EXPECT_EQ(whyText(*m_planned.model, **made, m_tail), "it is behind 'first'");
    EXPECT_EQ(whyText(*m_planned.model, **made, m_planned.model->findNode("squash")), "it is behind 'first'");
    EXPECT_EQ(wouldText(*m_planned.model, **made, m_tail), "it would without 'squash'");
}

TEST_F(NodeOutcomesTest, ARunThatDidAsPlannedIsThePlan)
{
    const NodeOutcomes outcomes = nodeOutcomes(m_planned, m_planned);
    EXPECT_THAT(outcomes.others, testing::IsEmpty());
    EXPECT_EQ(*placementWith(m_planned, outcomes, {}), m_planned.placement);
}

TEST_F(NodeOutcomesTest, AnotherPlanIsNotGuessedAt)
{
    const NodeOutcomes outcomes = nodeOutcomes(m_planned, m_made);
    EXPECT_EQ(*placementWith(m_made, outcomes, {}), nullptr);
    NodeOutcomes wrong = outcomes;
    wrong.why.clear();
    EXPECT_EQ(*placementWith(m_planned, wrong, {}), nullptr);
}

TEST_F(NodeOutcomesTest, WhatIsToldOfNodesThatAreNotThereOrTwiceIsNothing)
{
    const auto isTaken = [&](auto&& change) {
        NodeOutcomes outcomes = nodeOutcomes(m_planned, m_made);
        change(outcomes);
        return *placementWith(m_planned, outcomes, {}) != nullptr;
    };
    EXPECT_TRUE(isTaken([](NodeOutcomes&) {}));
    EXPECT_FALSE(isTaken([](NodeOutcomes& outcomes) { outcomes.others.back().nodes.last = 0xFFFFFFFF; }));
    EXPECT_FALSE(isTaken([](NodeOutcomes& outcomes) { outcomes.others.push_back(outcomes.others.back()); }));
    EXPECT_FALSE(isTaken([](NodeOutcomes& outcomes) { outcomes.others.back().named.push_back(0); })) << "not in words";
    EXPECT_FALSE(isTaken([](NodeOutcomes& outcomes) {
        outcomes.why[outcomes.others.back().why].reason = {"", ""};
    })) << "names nobody";
    EXPECT_FALSE(isTaken([](NodeOutcomes& outcomes) {
        outcomes.why[outcomes.others.back().why].reason = {"", ""};
        outcomes.others.back().named = {1000};
    }));
}

TEST_F(NodeOutcomesTest, SentencesThatAreTooLongInAllAreNotTold)
{
    NodeOutcomes outcomes = nodeOutcomes(m_planned, m_made);
    outcomes.why[outcomes.others.back().why].reason = {std::string(kLongestTold + 1, 'x')};
    EXPECT_EQ(*placementWith(m_planned, outcomes, {}), nullptr);
}

TEST_F(NodeOutcomesTest, NodesThatRunAlikeAreOne)
{
    const auto& nodes = m_planned.model->nodes;
    NodeRuns runs;
    for (std::size_t i = 0; i < 3; ++i)
        runs.push_back({nodes[i].name, RunsAs::Int8, "QLinearConv", {}, ""});
    runs.push_back({nodes[4].name, RunsAs::Float, "Conv", {}, "a reason"});
    runs.push_back({"of another model", RunsAs::Int8, "QLinearConv", {}, ""});
    NodeOutcomes outcomes = nodeOutcomes(m_planned, m_made, &runs);
    EXPECT_EQ(outcomes.running,
        (std::vector<NodesRunning>{
            {RunsAs::Int8, "QLinearConv", "", {{0, 2}}}, {RunsAs::Float, "Conv", "a reason", {{4, 4}}}}));
    const auto again = runsWith(m_planned, outcomes);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->size(), 4U);
    EXPECT_EQ(again->front().node, nodes[0].name);
    EXPECT_EQ(again->back().node, nodes[4].name);
    EXPECT_EQ(again->back().reason, "a reason");
    EXPECT_EQ(runsWith(m_made, outcomes), nullptr) << "another plan";
    outcomes.running.back().nodes = {{2, 2}};
    EXPECT_EQ(runsWith(m_planned, outcomes), nullptr) << "two things of one";
    outcomes.running.back().nodes = {{4, 0xFFFFFFFF}};
    EXPECT_EQ(runsWith(m_planned, outcomes), nullptr);
}

TEST_F(NodeOutcomesTest, NodesThatRunAlikeAreOneWhereverTheyStand)
{
    const auto& nodes = m_planned.model->nodes;
    const std::string reason = "a reason of more letters than a short text holds";
    NodeRuns runs;
    for (const std::size_t node : {0U, 1U, 2U, 3U, 4U}) {
        if (node % 2 == 0)
            runs.push_back({nodes[node].name, RunsAs::Int8, "QLinearConv", {}, ""});
        else
            runs.push_back({nodes[node].name, RunsAs::Float, "Conv", {}, reason});
    }
    EXPECT_EQ(nodeOutcomes(m_planned, m_made, &runs).running,
        (std::vector<NodesRunning>{{RunsAs::Int8, "QLinearConv", "", {{0, 0}, {2, 2}, {4, 4}}},
            {RunsAs::Float, "Conv", reason, {{1, 1}, {3, 3}}}}));
}

} // namespace
} // namespace duo
