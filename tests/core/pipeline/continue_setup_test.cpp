// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/continue_setup.h"

#include "core/pipeline/export.h"
#include "core/pipeline/import_setup.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"
#include "tests/core/pipeline/unfused_tail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using namespace test;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Three convolutions, the data of the second of which a Relu gives. @param between that of the third
QuantizedCase convolutions(const std::string& between = "Relu")
{
    ProtoBuilder model;
    model.input("x", {1, 3, 8, 8}).output("y", {1, 4, 2, 2});
    model.weight("w1", {4, 3, 3, 3}, normal(std::size_t{4} * 27, 1)).weight("b1", {4}, {0.1F, 0.2F, -0.3F, 0.4F});
    model.weight("w2", {6, 4, 3, 3}, normal(std::size_t{6} * 36, 2)).weight("b2", {6}, std::vector<float>(6, 1));
    model.weight("w3", {4, 6, 3, 3}, normal(std::size_t{4} * 54, 3)).weight("b3", {4}, std::vector<float>(4, 1));
    model.node("Conv", "first", {"x", "w1", "b1"}, {"h"});
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("Conv", "second", {"r", "w2", "b2"}, {"s"});
    model.node(between, "between", {"s"}, {"t"});
    model.node("Conv", "third", {"t", "w3", "b3"}, {"y"});
    return {model, {1, 3, 8, 8}, normalSamples(4, std::size_t{3} * 64, 5)};
}

Rule named(const std::string& node, RuleAction action = RuleAction::Ignore)
{
    Rule rule;
    rule.action = action;
    rule.value = node;
    return rule;
}

class ContinueSetup : public testing::Test
{
protected:
    static Result<ContinuedSetup> under(const Resumed& taken, Recipe wanted, const CalibrationSource& source = {})
    {
        const auto placed = withRecipe(taken.snapshot, std::move(wanted));
        EXPECT_TRUE(placed) << (placed ? "" : placed.error().line());
        return continueSetup(taken, *placed, source, 1, {});
    }

    /// From the state of an export, under rules. @param dataset null: without data
    static Result<ContinuedSetup> continued(
        const QuantizedCase& made, std::vector<Rule> rules, const Dataset* dataset = nullptr)
    {
        const auto taken = resumeFrom(made.opened(), statePathFor(made.exported()), false, {});
        EXPECT_TRUE(taken) << (taken ? "" : taken.error().line());
        Recipe wanted = taken->snapshot.recipe;
        wanted.rules.rules = std::move(rules);
        CalibrationSource source;
        source.dataset = dataset;
        return under(*taken, std::move(wanted), source);
    }

    /// Parameters of the quantizer at a node. @param port nothing: of what it gives
    static QuantizationParameters at(
        const Compression& compression, const Model& model, const std::string& node, std::optional<std::uint32_t> port)
    {
        for (const auto& [id, point] : compression.setup.points) {
            if (point.node.valid() && model.node(point.node).name == node && point.port == port)
                return compression.parameters.at(id);
        }
        return {};
    }

    /// Exported, every check passes, and its state is that of its recipe. @return what the engine computes for a sample
    std::vector<float> outputOf(const QuantizedCase& made, const ContinuedSetup& continued, std::size_t sample = 0)
    {
        const auto file = m_folder / "again.onnx";
        const auto report
            = exportModel(continued.resumed.snapshot, continued.resumed.compression, &made.data(), file, 1, {});
        EXPECT_TRUE(report) << (report ? "" : report.error().line());
        EXPECT_TRUE(report && report->allChecksPassed());
        const auto again = resumeFrom(made.opened(), statePathFor(file), true, {});
        EXPECT_TRUE(again) << (again ? "" : again.error().line());
        return made.run(file, sample);
    }

    TemporaryFolder m_folder;
};

TEST_F(ContinueSetup, ChangesNothingUnderTheSameRules)
{
    QuantizedCase made = convolutions();
    made.quantize(R"("overflow_fix": "enable")");
    const auto same = continued(made, {});
    ASSERT_TRUE(same) << same.error().line();
    EXPECT_THAT(same->made, IsEmpty());
    EXPECT_THAT(same->gone, IsEmpty());
    EXPECT_EQ(same->resumed.compression.setup, made.compression().setup);
    EXPECT_EQ(same->resumed.compression.parameters, made.compression().parameters);
    EXPECT_EQ(same->resumed.compression.biasShifts, made.compression().biasShifts);
    EXPECT_EQ(outputOf(made, *same), made.output(0));
}

TEST_F(ContinueSetup, TakesOutWhatIsIgnoredNowWithoutData)
{
    QuantizedCase made = convolutions();
    made.quantize(R"("overflow_fix": "enable")");
    const auto less = continued(made, {named("third")});
    ASSERT_TRUE(less) << less.error().line();
    EXPECT_EQ(continuedText(*less), "5 quantizers stay as they were, 1 is gone");
    const Compression& compression = less->resumed.compression;
    const Model& model = *less->resumed.snapshot.model;
    EXPECT_EQ(at(compression, model, "second", 1), at(made.compression(), model, "second", 1));
    EXPECT_TRUE(at(compression, model, "third", 1).scale.empty());
    BiasShifts others = made.compression().biasShifts;
    EXPECT_EQ(others.erase(model.findNode("third")), 1U);
    EXPECT_EQ(compression.biasShifts, others);
    outputOf(made, *less);
}

TEST_F(ContinueSetup, AsksForDataOnlyForRangesThatNobodyKnows)
{
    QuantizedCase made = convolutions();
    made.quantize(
        R"("overflow_fix": "enable")", R"([{"action": "ignore", "kind": "pattern", "value": "second|third"}])");
    const auto without = continued(made, {});
    ASSERT_FALSE(without);
    EXPECT_EQ(without.error().code, ErrorCode::BadData);
    EXPECT_EQ(
        without.error().what, "the ranges of 1 quantizer that the recipe makes anew are not known: node 'between'");
    const auto more = continued(made, {}, &made.data());
    ASSERT_TRUE(more) << more.error().line();
    EXPECT_EQ(continuedText(*more), "3 quantizers stay as they were, 3 are made anew");
    EXPECT_THAT(more->made, ElementsAre("node 'second'", "node 'between'", "node 'third'"));
    QuantizedCase whole = convolutions();
    whole.quantize(R"("overflow_fix": "enable")");
    EXPECT_EQ(more->resumed.compression.parameters, whole.compression().parameters);
    EXPECT_EQ(outputOf(made, *more), whole.output(0)) << "the same data give what a whole run gives";
}

TEST_F(ContinueSetup, MakesTheTypesAnewThatARuleChanges)
{
    QuantizedCase made = convolutions();
    made.quantize(R"("overflow_fix": "enable")");
    Rule wide = named("third", RuleAction::Precision);
    wide.precision.activations.numBits = 16;
    const auto other = continued(made, {wide}, &made.data());
    ASSERT_TRUE(other) << other.error().line();
    EXPECT_THAT(other->made, ElementsAre("node 'between'"));
    const Compression& compression = other->resumed.compression;
    const Model& model = *other->resumed.snapshot.model;
    EXPECT_EQ(at(compression, model, "between", std::nullopt).type, ElementType::UInt16);
    EXPECT_EQ(at(compression, model, "relu", std::nullopt), at(made.compression(), model, "relu", std::nullopt));
    EXPECT_EQ(at(compression, model, "third", 1), at(made.compression(), model, "third", 1));
}

TEST_F(ContinueSetup, KeepsQuantizersBesideTheRecipeAsLongAsSomebodyReadsThem)
{
    const QuantizedCase made = convolutions();
    const auto file = m_folder.write("e.json", R"({"activation_encodings": {
        "x": [{"bitwidth": 8, "scale": 0.02, "offset": -128}],
        "h": [{"bitwidth": 8, "scale": 0.07, "offset": -100}],
        "r": [{"bitwidth": 8, "scale": 0.1, "offset": 0}]}})");
    const auto imported = importSetup(made.opened(), file, {}, {});
    ASSERT_TRUE(imported) << imported.error().line();
    const Resumed& taken = imported->resumed;
    const auto under = [&](std::vector<Rule> rules) {
        Recipe wanted = taken.snapshot.recipe;
        wanted.rules.rules = std::move(rules);
        return ContinueSetup::under(taken, std::move(wanted));
    };
    const Model& model = *taken.snapshot.model;
    const auto less = under({named("third")});
    ASSERT_TRUE(less) << less.error().line();
    EXPECT_THAT(at(less->resumed.compression, model, "first", std::nullopt).scale, ElementsAre(0.07F));
    const auto without = under({named("first")});
    ASSERT_TRUE(without) << without.error().line();
    EXPECT_TRUE(at(without->resumed.compression, model, "first", std::nullopt).scale.empty());
    EXPECT_THAT(without->gone, Contains("node 'first'"));
}

/// Two calls of one convolution.
QuantizedCase calls()
{
    ProtoBuilder model;
    model.input("x", {1, 4, 8, 8}).output("y", {1, 4, 4, 4});
    model.weight("w", {4, 4, 3, 3}, normal(std::size_t{4} * 36, 1)).weight("b", {4}, {1, 1, 1, 1});
    model.node("Conv", "call0", {"x", "w", "b"}, {"h"});
    model.node("Relu", "relu", {"h"}, {"r"});
    model.node("Conv", "call1", {"r", "w", "b"}, {"y"});
    return {model, {1, 4, 8, 8}, normalSamples(4, std::size_t{4} * 64, 5)};
}

TEST_F(ContinueSetup, AWeightOfSeveralCallsStaysWhicheverOfThemRulesGiveBack)
{
    QuantizedCase made = calls();
    made.quantize(R"("overflow_fix": "enable")", R"([{"action": "ignore", "kind": "name", "value": "call0"}])");
    const auto more = continued(made, {}, &made.data());
    ASSERT_TRUE(more) << more.error().line();
    const Model& model = *more->resumed.snapshot.model;
    EXPECT_EQ(at(more->resumed.compression, model, "call0", 1), at(made.compression(), model, "call1", 1));
    EXPECT_THAT(more->gone, IsEmpty());
    QuantizedCase whole = calls();
    whole.quantize(R"("overflow_fix": "enable")");
    EXPECT_EQ(more->resumed.compression.biasShifts, whole.compression().biasShifts)
        << "also that of the call which reads it in codes for the first time";
}

TEST_F(ContinueSetup, CorrectsBiasesOfWeightsThatAreMadeAnewOrSaysThatItNeedsData)
{
    QuantizedCase made = convolutions();
    made.quantize(R"("overflow_fix": "enable")", R"([{"action": "ignore", "kind": "name", "value": "second"}])");
    const auto with = continued(made, {}, &made.data());
    ASSERT_TRUE(with) << with.error().line();
    QuantizedCase whole = convolutions();
    whole.quantize(R"("overflow_fix": "enable")");
    EXPECT_EQ(with->resumed.compression.biasShifts, whole.compression().biasShifts);
    QuantizedCase shared = calls();
    shared.quantize(R"("overflow_fix": "enable")", R"([{"action": "ignore", "kind": "name", "value": "call1"}])");
    const auto without = continued(shared, {});
    ASSERT_TRUE(without) << without.error().line();
    EXPECT_FALSE(without->resumed.compression.biasShifts.contains(shared.opened().model->findNode("call1")));
    EXPECT_THAT(without->resumed.compression.notes,
        Contains(testing::Field(
            &Note::text, "1 bias is not corrected for weights in codes that are new: that needs calibration data")));
}

/// A convolution whose bias is data, which the engine runs in float, adds to one in int8.
QuantizedCase unfused()
{
    ProtoBuilder model;
    addUnfusedTail(model);
    model.node("Add", "sum", {"b", "h"}, {"s"});
    model.node("Tanh", "out", {"s"}, {"y"});
    return {model, {1, 4, 4, 4}, normalSamples(6, 64, 10)};
}

TEST_F(ContinueSetup, WhatTheEngineRanInFloatStaysSo)
{
    QuantizedCase made = unfused();
    made.quantize(R"("overflow_fix": "enable")");
    const auto taken = resumeFrom(made.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(taken);
    ASSERT_FALSE(taken->compression.keptFloat.empty());
    const auto same = under(*taken, taken->snapshot.recipe);
    ASSERT_TRUE(same) << same.error().line();
    EXPECT_EQ(same->resumed.compression.setup, taken->compression.setup);
    EXPECT_EQ(same->resumed.compression.keptFloat.size(), taken->compression.keptFloat.size());
    EXPECT_EQ(outputOf(made, *same), made.output(0));
}

/// As quantizing anew does.
TEST_F(ContinueSetup, WhatTheEngineRunsInFloatUnderTheNewRulesIsTakenOut)
{
    QuantizedCase anew = unfused();
    anew.quantize(R"("overflow_fix": "enable")");
    QuantizedCase made = unfused();
    made.quantize(R"("overflow_fix": "enable")", R"([{"action": "ignore", "kind": "name", "value": "tail"}])");
    const auto more = continued(made, {}, &made.data());
    ASSERT_TRUE(more) << more.error().line();
    EXPECT_THAT(more->made, Contains("node 'tail'"));
    EXPECT_EQ(outputOf(made, *more), anew.output(0));
}

TEST_F(ContinueSetup, ABodyThatNoSampleRunsGetsNoQuantizersOfTheOther)
{
    ProtoBuilder model;
    model.input("x", {1, 8}).output("y", {1, 4}).weight("zero", {}, {0.0F});
    addInt(model.node("ReduceMean", "mean", {"x"}, {"m"}), "keepdims", 0);
    model.node("Greater", "greater", {"m", "zero"}, {"c"});
    auto& branch = model.node("If", "if", {"c"}, {"y"});
    for (const char* name : {"then_branch", "else_branch"}) {
        auto body = addBody(branch, name);
        body.weight("w", {8, 4}, normal(32, 1)).output("o", {1, 4});
        body.node("MatMul", "fc", {"x", "w"}, {"o"});
    }
    QuantizedCase made(model, {1, 8}, normalSamples(4, 8, 100, 5));
    made.quantize(R"("overflow_fix": "enable")");
    const auto taken = resumeFrom(made.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(taken) << taken.error().line();
    const auto same = under(*taken, taken->snapshot.recipe);
    ASSERT_TRUE(same) << same.error().line();
    EXPECT_EQ(same->resumed.compression.setup, taken->compression.setup);
    EXPECT_EQ(same->kept, taken->compression.setup.points.size());
}

TEST_F(ContinueSetup, RefusesARecipeThatSimplifiesOtherwise)
{
    QuantizedCase made = convolutions("Identity");
    made.quantize("");
    const auto taken = resumeFrom(made.opened(), statePathFor(made.exported()), false, {});
    ASSERT_TRUE(taken);
    Recipe wanted = taken->snapshot.recipe;
    wanted.transforms.reset();
    const auto refused = under(*taken, std::move(wanted));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().what, HasSubstr("simplifies the model otherwise"));
}

} // namespace
} // namespace duo
