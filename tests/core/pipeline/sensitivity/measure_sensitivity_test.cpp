// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/measure_sensitivity.h"

#include "core/pipeline/sensitivity/suggest_floats.h"
#include "tests/core/pipeline/sensitivity/planted_networks.h"
#include "tests/support/half_range.h"
#include "tests/support/schema_check.h"

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;
using test::QuantizedCase;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> namesOf(const SensitivityReport& report)
{
    std::vector<std::string> names;
    for (const GroupSensitivity& group : report.groups)
        names.push_back(group.name);
    return names;
}

/// Times are measured, and another load gives others.
SensitivityReport withoutSpeed(SensitivityReport report)
{
    report.speed.reset();
    for (FloatSuggestion& suggestion : report.suggestions)
        suggestion.speed.reset();
    return report;
}

/// What is tried, in which groups are taken only behind the one they need.
std::vector<std::size_t> triedIn(const std::vector<std::size_t>& order, const std::map<std::size_t, std::size_t>& needs)
{
    FloatQueue queue(order);
    std::vector<std::size_t> tried;
    std::set<std::size_t> taken;
    while (const auto turn = queue.next()) {
        tried.push_back(turn->group);
        const auto need = needs.find(turn->group);
        if (need != needs.end() && !taken.contains(need->second)) {
            queue.passOver();
        } else {
            taken.insert(turn->group);
            queue.take();
        }
    }
    return tried;
}

TEST(FloatQueue, TriesAgainWhatGainsOnlyBesideOthers)
{
    EXPECT_THAT(triedIn({4, 7, 2}, {}), ElementsAre(4, 7, 2));
    EXPECT_THAT(triedIn({4, 7, 2}, {{4, 7}}), ElementsAre(4, 7, 4, 2));
    EXPECT_THAT(triedIn({4, 7, 2}, {{4, 2}}), ElementsAre(4, 7, 4, 2, 4));
}

TEST(FloatQueue, GivesUpWhatNeverGains)
{
    EXPECT_THAT(triedIn({9, 1, 2, 3, 4, 5}, {{9, 8}}), ElementsAre(9, 1, 9, 2, 9, 3, 9, 4, 5));
}

class PlantedChain : public testing::Test
{
protected:
    PlantedChain()
        : m_model(test::addPlantedChain(m_proto), {1, 4, 8, 8}, test::plantedSamples())
    {
        m_export = m_model.quantize(test::kHalfRange);
    }

    ProtoBuilder m_proto;
    QuantizedCase m_model;
    ExportReport m_export;
};

TEST_F(PlantedChain, TheBadNodeComesFirstBothWays)
{
    const auto report = test::sensitivityOf(m_model, {.by = SensitivityDepth::Nodes, .samples = 8});
    ASSERT_TRUE(report) << report.error().line();
    EXPECT_EQ(report->groups.size(), 3U);
    const GroupSensitivity& worst = report->groups.front();
    EXPECT_EQ(worst.name, "/bad/conv");
    EXPECT_THAT(worst.nodes, ElementsAre("/bad/conv"));
    EXPECT_FALSE(worst.disagrees);
    EXPECT_GT(worst.shareAlone, 0.8);
    EXPECT_GT(worst.shareTaken, 0.8);
    for (std::size_t i = 1; i < report->groups.size(); ++i) {
        EXPECT_LT(report->groups[i].shareAlone, 0.2);
        EXPECT_LT(report->groups[i].shareTaken, 0.2);
    }
    EXPECT_EQ(worst.bytes, 16 * 3); // sixteen weights of four bytes instead of one
}

TEST_F(PlantedChain, TheErrorOfEverythingIsThatOfTheExport)
{
    const auto report = test::sensitivityOf(m_model, {.samples = 8});
    ASSERT_TRUE(report) << report.error().line();
    EXPECT_NEAR(report->all.decibels(), m_export.outputs[0].sqnrDb.value(), 0.2);
    EXPECT_EQ(report->bytes, m_export.bytesAfter);
}

TEST_F(PlantedChain, ASuggestionIsWorthWhatItSaysOnceItIsExported)
{
    const auto report = test::sensitivityOf(m_model, {.samples = 8});
    ASSERT_TRUE(report) << report.error().line();
    ASSERT_FALSE(report->suggestions.empty());
    const FloatSuggestion& suggestion = report->suggestions.front();
    EXPECT_THAT(suggestion.groups, ElementsAre("bad"));
    EXPECT_TRUE(suggestion.isRecommended);
    EXPECT_GT(suggestion.error.decibels(), report->all.decibels() + 10);
    const ExportReport kept
        = m_model.quantize(test::kHalfRange, R"([{"action": "ignore", "kind": "execution-scope", "value": "bad"}])");
    EXPECT_NEAR(suggestion.error.decibels(), kept.outputs[0].sqnrDb.value(), 0.5);
    EXPECT_NEAR(static_cast<double>(suggestion.bytes), static_cast<double>(kept.bytesAfter), 8) << "but for names";
}

TEST_F(PlantedChain, IsTheSameForAnyNumberOfThreads)
{
    const auto one = test::sensitivityOf(m_model, {}, {}, 1);
    const auto three = test::sensitivityOf(m_model, {}, {}, 3);
    ASSERT_TRUE(one && three);
    EXPECT_EQ(sensitivityJson(withoutSpeed(*one)).dump(), sensitivityJson(withoutSpeed(*three)).dump());
    EXPECT_EQ(test::schemaComplaints(sensitivityJson(*one), "sensitivity"), "");
}

TEST_F(PlantedChain, TheOrderOfNodesInTheFileMeansNothing)
{
    ProtoBuilder proto;
    QuantizedCase reversed(test::addPlantedChain(proto, true), {1, 4, 8, 8}, test::plantedSamples());
    reversed.quantize(test::kHalfRange);
    const auto as = test::sensitivityOf(m_model);
    const auto other = test::sensitivityOf(reversed);
    ASSERT_TRUE(as && other);
    EXPECT_EQ(sensitivityText(withoutSpeed(*as)), sensitivityText(withoutSpeed(*other)));
}

TEST_F(PlantedChain, StopsWhenAskedTo)
{
    std::stop_source stop;
    int told = 0;
    const JobContext job{stop.get_token(), [&](const Progress& progress) {
                             if (progress.stage == "sensitivity" && progress.done == 3)
                                 stop.request_stop();
                             ++told;
                         }};
    const auto report = test::sensitivityOf(m_model, {}, job);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::Cancelled);
    EXPECT_GT(told, 3);
}

TEST_F(PlantedChain, NothingQuantizedIsRefused)
{
    m_model.quantize("", R"([{"action": "ignore", "kind": "execution-scope", "value": ""}])");
    const auto report = test::sensitivityOf(m_model);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().line(),
        "no node is quantized: there is no error to look for: see duoscope-cli plan for the reasons");
}

TEST_F(PlantedChain, SaysInTextWhatToKeep)
{
    const auto report = test::sensitivityOf(m_model);
    ASSERT_TRUE(report);
    const std::string text = sensitivityText(*report);
    EXPECT_THAT(text, HasSubstr("bad  (1 node)"));
    EXPECT_THAT(text, HasSubstr("keep these in float"));
}

/// Equal branches: what is equally bad is told by name.
TEST(MeasureSensitivity, EqualOnesGoByName)
{
    ProtoBuilder proto;
    proto.input("x", {1, 4, 8, 8}).output("y", {1, 4, 8, 8});
    proto.weight("w", {4, 4, 1, 1}, test::normal(16, 1)).weight("v", {4, 4, 1, 1}, test::normal(16, 1));
    proto.node("Conv", "/z/conv", {"x", "w"}, {"h1"});
    proto.node("Conv", "/a/conv", {"x", "v"}, {"h2"});
    proto.node("Add", "/sum/add", {"h1", "h2"}, {"y"});
    QuantizedCase model(proto, {1, 4, 8, 8}, test::plantedSamples());
    model.quantize("");
    const auto report = test::sensitivityOf(model, {.by = SensitivityDepth::Nodes});
    ASSERT_TRUE(report) << report.error().line();
    const auto names = namesOf(*report);
    const auto a = std::ranges::find(names, "/a/conv");
    const auto z = std::ranges::find(names, "/z/conv");
    ASSERT_NE(z, names.end());
    EXPECT_EQ(report->groups[static_cast<std::size_t>(a - names.begin())].score(),
        report->groups[static_cast<std::size_t>(z - names.begin())].score());
    EXPECT_LT(a, z);
}

TEST(WithRules, AddsARuleOnce)
{
    Rule rule;
    rule.value = "n";
    const Recipe once = withRules({}, {rule, rule});
    EXPECT_EQ(once.rules.rules.size(), 1U);
    EXPECT_EQ(withRules(once, {rule}), once);
}

} // namespace
} // namespace duo
