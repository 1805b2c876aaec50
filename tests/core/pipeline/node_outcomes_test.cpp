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
    for (const NodeOutcome& other : outcomes.others)
        nodes.push_back(other.node);
    EXPECT_THAT(nodes, testing::ElementsAre("mean", "vector", "tail")); // two of them serve the third alone
    EXPECT_EQ(outcomes.others.back().state, NodeState::Preset);
    EXPECT_EQ(outcomes.why[outcomes.others.back().why], (RecordedKept{"it ran in float", "it would if"}));
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
    outcomes.why = {{"it is behind a Mul", "it would without"}};
    outcomes.others = {{"tail", NodeState::Blocked, 0}, {"squash", NodeState::Preset, 0}};
    const auto made = placementWith(m_planned, outcomes, {});
    ASSERT_TRUE(made && *made);
    EXPECT_EQ(of(m_planned, **made, "tail").state, NodeState::Blocked);
    EXPECT_EQ(of(m_planned, **made, "squash").state, NodeState::Preset);
    EXPECT_EQ(of(m_planned, **made, "first").state, NodeState::Quantized);
    EXPECT_EQ(whyText(*m_planned.model, **made, m_tail), "it is behind a Mul");
    EXPECT_EQ(whyText(*m_planned.model, **made, m_planned.model->findNode("squash")), "it is behind a Mul");
    EXPECT_EQ(wouldText(*m_planned.model, **made, m_tail), "it would without");
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
    wrong.others.front().node = "none";
    EXPECT_EQ(*placementWith(m_planned, wrong, {}), nullptr);
    wrong = outcomes;
    wrong.why.clear();
    EXPECT_EQ(*placementWith(m_planned, wrong, {}), nullptr);
}

} // namespace
} // namespace duo
