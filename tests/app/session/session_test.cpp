// SPDX-License-Identifier: Apache-2.0
#include "tests/app/session/session_fixture.h"

#include "core/engine/session.h"
#include "core/pipeline/export.h"
#include "core/report/measured_line.h"
#include "tests/core/pipeline/unfused_tail.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace duo::app {
namespace {

Rule ignore(RuleKind kind, const std::string& value)
{
    Rule rule;
    rule.kind = kind;
    rule.value = value;
    return rule;
}

class SessionTest : public SessionFixture
{
protected:
    /// Edits and waits for the snapshot made with the edit.
    void edit(const RuleSet& rules)
    {
        m_session.editRules(rules, QStringLiteral("edit"));
        ASSERT_TRUE(settled());
    }

    [[nodiscard]] RuleSet ignoringTypes(const std::vector<std::string>& types) const
    {
        RuleSet rules;
        for (const auto& type : types)
            rules.rules.push_back(ignore(RuleKind::Type, type));
        return rules;
    }
};

/// By whatever reads it: what views make is of no use for a copy.
TEST_F(SessionTest, WhatIsMadeAheadIsOfTheSnapshotShown)
{
    std::vector<std::shared_ptr<const Snapshot>> seen; // written by one job at a time
    m_session.setMadeAhead(MadeAhead({[&](const auto& snapshot) { seen.push_back(snapshot); }}));
    std::vector<std::shared_ptr<const Snapshot>> shown;
    const auto take = [&] { shown.push_back(m_session.snapshot()); };
    QObject::connect(&m_session, &Session::snapshotChanged, &m_session, take);
    open();
    QSignalSpy reloaded(&m_session, &Session::reloaded);
    ASSERT_TRUE(m_session.reload());
    ASSERT_TRUE(wait(reloaded));
    QSignalSpy compared(&m_session, &Session::checkpointChanged);
    m_session.leaveCheckpointOut();
    ASSERT_TRUE(wait(compared));
    QSignalSpy taken(&m_session, &Session::customOpsTaken);
    ASSERT_TRUE(m_session.setCustomOps({"/no/library.so"}));
    ASSERT_TRUE(wait(taken));
    EXPECT_THAT(shown, testing::IsSupersetOf(seen));
    EXPECT_GE(seen.size(), 4U);
}

TEST_F(SessionTest, NamingALibraryOfOperatorsKeepsRulesAndData)
{
    open();
    m_session.setData({sample("digits_calibration.npz").string(), {}});
    edit(ignoringTypes({"Conv"}));
    const auto before = m_session.snapshot();
    QSignalSpy changed(&m_session, &Session::snapshotChanged);
    QSignalSpy taken(&m_session, &Session::customOpsTaken);
    EXPECT_TRUE(m_session.setCustomOps({"/no/library.so"}));
    EXPECT_EQ(taken.count(), 0); // not yet
    ASSERT_TRUE(wait(taken));
    EXPECT_EQ(changed.count(), 1);
    EXPECT_NE(m_session.snapshot()->model, before->model);
    EXPECT_EQ(m_session.snapshot()->placement->decisions, before->placement->decisions);
    EXPECT_TRUE(m_session.undoStack()->canUndo());
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.calibrate();
    ASSERT_TRUE(wait(failed));
    EXPECT_NE(failed[0][0].value<Error>().line().find("/no/library.so"), std::string::npos);
}

TEST_F(SessionTest, ALibraryOfOperatorsIsNotNamedWhileSomethingRuns)
{
    EXPECT_FALSE(m_session.setCustomOps({"/no/library.so"})); // there is no model
    open();
    const auto before = m_session.snapshot();
    m_session.setData({"random:2", {}});
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    EXPECT_FALSE(m_session.setCustomOps({"/no/library.so"}));
    ASSERT_TRUE(wait(calibrated));
    EXPECT_EQ(m_session.snapshot()->model, before->model);
}

TEST_F(SessionTest, UndoingEverythingRestoresTheOpenedState)
{
    open();
    const auto before = m_session.snapshot();
    edit(ignoringTypes({"Conv"}));
    EXPECT_NE(m_session.snapshot()->placement->decisions, before->placement->decisions);
    edit(ignoringTypes({"Conv", "Gemm"}));
    edit(ignoringTypes({"Gemm"}));
    while (m_session.undoStack()->canUndo())
        m_session.undoStack()->undo();
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_session.rules(), before->recipe.rules);
    EXPECT_EQ(m_session.snapshot()->placement->decisions, before->placement->decisions);
    EXPECT_EQ(m_session.snapshot()->placement->setup, before->placement->setup);
    EXPECT_EQ(m_session.snapshot()->scopes, before->scopes); // not even computed again
    m_session.undoStack()->redo();
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_session.rules(), ignoringTypes({"Conv"}));
}

TEST_F(SessionTest, QuickEditsEndAtTheLastOne)
{
    open();
    for (int i = 0; i < 20; ++i)
        m_session.editRules(ignoringTypes({i % 2 == 0 ? "Conv" : "Relu"}), QStringLiteral("edit"));
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_session.snapshot()->recipe.rules, ignoringTypes({"Relu"}));
    EXPECT_EQ(m_session.undoStack()->count(), 20);
}

TEST_F(SessionTest, SameRulesAreNoChange)
{
    open();
    m_session.editRules(m_session.rules(), QStringLiteral("nothing"));
    EXPECT_EQ(m_session.undoStack()->count(), 0);
}

TEST_F(SessionTest, EditsWithTheSameKeyAreOneStepAndNoneIfTheyEndWhereTheyBegan)
{
    open();
    m_session.editRules(ignoringTypes({"C"}), QStringLiteral("type"), QStringLiteral("field 1"));
    m_session.editRules(ignoringTypes({"Conv"}), QStringLiteral("type"), QStringLiteral("field 1"));
    EXPECT_EQ(m_session.undoStack()->count(), 1);
    m_session.editRules(ignoringTypes({"Relu"}), QStringLiteral("type"), QStringLiteral("field 2"));
    EXPECT_EQ(m_session.undoStack()->count(), 2);
    m_session.undoStack()->undo();
    EXPECT_EQ(m_session.rules(), ignoringTypes({"Conv"}));
    m_session.undoStack()->undo();
    EXPECT_TRUE(m_session.rules().rules.empty());
    m_session.editRules(ignoringTypes({"C"}), QStringLiteral("type"), QStringLiteral("field 3"));
    m_session.editRules({}, QStringLiteral("type"), QStringLiteral("field 3"));
    EXPECT_EQ(m_session.undoStack()->count(), 0);
    ASSERT_TRUE(settled());
}

TEST_F(SessionTest, SettingsAreUndoneLikeRules)
{
    open();
    Recipe recipe = m_session.recipe();
    recipe.quantization.subsetSize = 5;
    m_session.editRecipe(recipe, QStringLiteral("settings"));
    EXPECT_EQ(m_session.recipe().quantization.subsetSize, 5);
    m_session.undoStack()->undo();
    EXPECT_EQ(m_session.recipe(), startingRecipe());
    ASSERT_TRUE(settled());
}

TEST_F(SessionTest, FailedOpenLeavesModelRulesAndUndoAsTheyWere)
{
    open();
    edit(ignoringTypes({"Conv"}));
    const auto before = m_session.snapshot();
    const auto path = m_folder.write("text.onnx", "this is no model");
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.open(path);
    ASSERT_TRUE(wait(failed));
    EXPECT_EQ(m_session.snapshot(), before);
    EXPECT_EQ(m_session.undoStack()->count(), 1);
    EXPECT_EQ(m_session.activity(), Activity::Idle);
    EXPECT_NE(failed.front().front().value<Error>().line().find("text.onnx"), std::string::npos);
}

TEST_F(SessionTest, LastOfTwoOpensWins)
{
    QSignalSpy opened(&m_session, &Session::opened);
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.open(sample("no_such_model.onnx"));
    m_session.open(sample("digits_conv.onnx"));
    ASSERT_TRUE(wait(opened));
    EXPECT_EQ(m_session.snapshot()->model->path.filename(), "digits_conv.onnx");
    EXPECT_EQ(failed.count(), 0);
}

TEST_F(SessionTest, QuantizingWithoutDataIsRefusedWithTheWayOut)
{
    open();
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.calibrate();
    ASSERT_EQ(failed.count(), 1);
    EXPECT_EQ(
        failed.front().front().value<Error>().line(), "no calibration data chosen: choose it in the Quantize menu");
}

TEST_F(SessionTest, LooksAtDataWithoutChoosingIt)
{
    open();
    QSignalSpy previewed(&m_session, &Session::dataPreviewed);
    QSignalSpy refused(&m_session, &Session::dataNotPreviewed);
    const DataSource samples{sample("digits_calibration.npz").string(), {}};
    m_session.previewData(samples);
    ASSERT_TRUE(wait(previewed));
    EXPECT_EQ(previewed.front()[0].value<DataSource>(), samples);
    EXPECT_EQ(previewed.front()[1].value<std::shared_ptr<const DatasetPreview>>()->samples, 200);
    m_session.previewData({"/nowhere.npz", {}});
    ASSERT_TRUE(wait(refused));
    EXPECT_EQ(refused.front()[1].value<Error>().where, "/nowhere.npz");
    EXPECT_TRUE(m_session.data().spec.empty());
    EXPECT_EQ(m_session.activity(), Activity::Idle);
}

TEST_F(SessionTest, StoppedQuantizationLeavesTheLastResult)
{
    open();
    m_session.setData({"random:4", {}});
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    QSignalSpy stopped(&m_session, &Session::stopped);
    std::shared_ptr<const Compression> before;
    for (int i = 0; i < 20 && stopped.isEmpty(); ++i) { // on a busy machine one may be done before it is stopped
        calibrated.clear();
        m_session.calibrate();
        ASSERT_TRUE(wait(calibrated));
        before = m_session.result()->compression;
        m_session.calibrate();
        m_session.stop();
        ASSERT_TRUE(waitUntil([&] { return m_session.activity() == Activity::Idle; }));
    }
    ASSERT_EQ(stopped.size(), 1);
    EXPECT_EQ(m_session.result()->compression, before);
    EXPECT_TRUE(m_session.isResultCurrent());
}

TEST_F(SessionTest, ResultIsStaleAfterARuleChangeAndCurrentAgainAfterUndo)
{
    open();
    m_session.setData({"random:2", {}});
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated));
    edit(ignoringTypes({"Conv"}));
    EXPECT_FALSE(m_session.isResultCurrent());
    EXPECT_TRUE(m_session.isResultStale());
    m_session.undoStack()->undo();
    EXPECT_TRUE(m_session.isResultCurrent());
    EXPECT_FALSE(m_session.isResultStale());
}

TEST_F(SessionTest, ExportQuantizesFirstWhereNeededAndReportsProgress)
{
    open();
    m_session.setData({sample("digits_calibration.npz").string(), {}});
    QSignalSpy exported(&m_session, &Session::exported);
    QSignalSpy progressed(&m_session, &Session::progressed);
    const auto target = m_folder / "out.onnx";
    m_session.exportTo(target);
    EXPECT_EQ(m_session.activity(), Activity::Exporting);
    QSignalSpy failed(&m_session, &Session::failed);
    ASSERT_TRUE(waitUntil([&] { return exported.count() + failed.count() > 0; }));
    ASSERT_EQ(failed.count(), 0) << failed.front().front().value<Error>().line();
    EXPECT_TRUE(std::filesystem::exists(target));
    EXPECT_TRUE(std::filesystem::exists(statePathFor(target)));
    EXPECT_GT(progressed.count(), 0);
    EXPECT_TRUE(m_session.isResultCurrent());
    EXPECT_TRUE(exported.front().front().value<std::shared_ptr<const ExportReport>>()->allChecksPassed());
}

TEST_F(SessionTest, AnExportKeepsScopesInFloatForItsBounds)
{
    open();
    Recipe half = m_session.snapshot()->recipe;
    half.quantization.overflowFix = OverflowFix::Enable; // the error is that of any CPU, with VNNI or without
    m_session.editRecipe(half, QStringLiteral("half the range"));
    m_session.setData({sample("digits_calibration.npz").string(), {}});
    m_session.setDemands({{46, {}}, {}}); // without a bound it reaches 43 dB
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder / "out.onnx");
    ASSERT_TRUE(wait(exported));
    const auto report = exported.front().front().value<std::shared_ptr<const ExportReport>>();
    EXPECT_GE(report->outputs.front().sqnrDb.value_or(0), 46);
    EXPECT_FALSE(m_session.rules().rules.empty());
    EXPECT_TRUE(m_session.isResultCurrent());
    EXPECT_THAT(m_session.undoStack()->undoText().toStdString(), testing::HasSubstr("in float for the bounds"));
    m_session.undoStack()->undo();
    EXPECT_TRUE(m_session.rules().rules.empty());
}

TEST_F(SessionTest, WhatAvoidsSaturationIsOneStepOfUndo)
{
    open();
    m_session.avoidSaturation();
    EXPECT_EQ(m_session.recipe().quantization.overflowFix, OverflowFix::Enable);
    EXPECT_EQ(m_session.undoStack()->undoText(), QStringLiteral("overflow_fix: enable"));
    m_session.undoStack()->undo();
    EXPECT_EQ(m_session.recipe(), startingRecipe());
}

TEST_F(SessionTest, IsSettledOnceTheSnapshotIsOfTheRecipeWanted)
{
    EXPECT_EQ(m_session.settled(), nullptr);
    open();
    EXPECT_EQ(m_session.settled(), m_session.snapshot());
    m_session.editRules(ignoringTypes({"Conv"}), QStringLiteral("edit"));
    EXPECT_EQ(m_session.settled(), nullptr);
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_session.settled(), m_session.snapshot());
}

TEST_F(SessionTest, TheOutcomeIsTheMeasuredOneWhileTheRecipeIsTheOneExported)
{
    open();
    EXPECT_EQ(m_session.outcome().measured, "");
    EXPECT_EQ(m_session.outcome().foreseen, nullptr);
    m_session.setData({"random:2", {}});
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder / "out.onnx");
    ASSERT_TRUE(wait(exported));
    EXPECT_EQ(m_session.outcome().measured, measuredLine(*m_session.report()));
    edit(ignoringTypes({"Conv"}));
    EXPECT_EQ(m_session.outcome().measured, "");
    ASSERT_TRUE(waitUntil([this] { return m_session.outcome().foreseen != nullptr; }));
    EXPECT_EQ(m_session.outcome().foreseen->snapshot->recipe, m_session.recipe());
}

/// The engine runs "tail" in float between its quantizers, which only a written file shows.
TEST_F(SessionTest, WhatAnExportLeftInFloatIsShownSoWhileItsRecipeIsTheOneWanted)
{
    test::ProtoBuilder model;
    addUnfusedTail(model);
    model.node("Tanh", "out", {"b"}, {"y"});
    open(m_folder.write("tail.onnx", model.text()));
    const auto stateOfTail = [&] {
        const Snapshot& shown = *m_session.snapshot();
        return shown.placement->decisions[shown.model->findNode("tail").index].state;
    };
    m_session.setData({"random:4", {}});
    QSignalSpy changed(&m_session, &Session::snapshotChanged);
    const auto exportAgain = [&] {
        QSignalSpy exported(&m_session, &Session::exported);
        m_session.exportTo(m_folder / "tail.int8.onnx");
        ASSERT_TRUE(wait(exported));
        ASSERT_EQ(m_session.report()->keptFloat.size(), 1U);
    };
    EXPECT_EQ(stateOfTail(), NodeState::Quantized);
    exportAgain();
    EXPECT_EQ(changed.count(), 1);
    EXPECT_EQ(stateOfTail(), NodeState::Preset);
    exportAgain(); // starts from the plan
    EXPECT_EQ(stateOfTail(), NodeState::Preset);

    edit(ignoringTypes({"GlobalAveragePool"}));
    EXPECT_EQ(stateOfTail(), NodeState::Quantized) << "of these rules nothing was exported";
    m_session.undoStack()->undo();
    ASSERT_TRUE(settled());
    EXPECT_EQ(stateOfTail(), NodeState::Preset);
    m_session.setData({"random:5", {}});
    EXPECT_EQ(stateOfTail(), NodeState::Quantized);

    open(m_folder / "tail.int8.onnx"); // as its state tells
    EXPECT_TRUE(waitUntil([&] { return stateOfTail() == NodeState::Preset; }));
    edit(ignoringTypes({"GlobalAveragePool"}));
    EXPECT_TRUE(waitUntil([&] { return stateOfTail() == NodeState::Preset; }));
}

/// SmoothQuant puts a Mul between what moves codes in the plan and what reads them.
TEST_F(SessionTest, WhatBecameOfTheNodesIsShownAlsoWhereTheModelWasChanged)
{
    open(sample("digits_transformer.onnx"));
    const auto states = [&] {
        std::map<std::string, NodeState> byName;
        const Snapshot& shown = *m_session.snapshot();
        for (std::uint32_t i = 0; i < shown.model->nodes.size(); ++i)
            byName[shown.model->nodes[i].name] = shown.placement->decisions[i].state;
        return byName;
    };
    const auto planned = states();
    m_session.setData({"random:4", {}});
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated));
    const auto changed = m_session.result()->compression->changed;
    ASSERT_TRUE(changed && changed->model != m_session.snapshot()->model);
    auto made = planned;
    for (auto& [name, state] : made)
        state = changed->placement->decisions[changed->model->findNode(name).index].state;
    ASSERT_NE(made, planned);
    EXPECT_TRUE(waitUntil([&] { return states() == made; }));
}

TEST_F(SessionTest, AnExportOpenedAgainShowsAsFloatWhatItsRulesLeftSo)
{
    open();
    const auto stateOfStem = [&] {
        const Snapshot& shown = *m_session.snapshot();
        return shown.placement->decisions[shown.model->findNode("/encoder/stem/conv/Conv").index];
    };
    m_session.setData({"random:4", {}});
    edit([] {
        RuleSet rules;
        rules.rules.push_back(ignore(RuleKind::Name, "/encoder/stem/conv/Conv"));
        return rules;
    }());
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder / "m.int8.onnx");
    ASSERT_TRUE(wait(exported));
    open(m_folder / "m.int8.onnx");
    EXPECT_TRUE(m_session.rules().rules.empty());
    ASSERT_TRUE(waitUntil([&] { return stateOfStem().state == NodeState::Preset; }));
    EXPECT_EQ(stateOfStem().reason.code, ReasonCode::KeptAsRecorded);
}

TEST_F(SessionTest, TheStateBesideAnExportIsToldAndWhetherItIsInUse)
{
    open();
    edit(ignoringTypes({"Conv"}));
    m_session.setData({"random:2", {}});
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder / "out.onnx");
    ASSERT_TRUE(wait(exported));
    QSignalSpy found(&m_session, &Session::stateFound);
    open(m_folder / "out.onnx");
    ASSERT_TRUE(wait(found));
    EXPECT_FALSE(found.front().at(1).toBool());
    open(m_folder / "out.onnx", {{}, {}, statePathFor(m_folder / "out.onnx")});
    ASSERT_TRUE(wait(found, 2));
    EXPECT_TRUE(found.back().at(1).toBool());
    edit(ignoringTypes({"Gemm"}));
    const auto own = m_folder / "own.recipe.json";
    ASSERT_TRUE(m_session.saveRecipeAs(own));
    open(m_folder / "out.onnx", {{}, {}, own});
    ASSERT_TRUE(wait(found, 3));
    EXPECT_FALSE(found.back().at(1).toBool());
}

TEST_F(SessionTest, AnExportReplacesNoneOfTheFilesItReads)
{
    const auto data = m_folder / "d.onnx.data";
    std::filesystem::copy_file(sample("digits_calibration.npz"), data);
    open();
    m_session.setData({data.string(), {}});
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.exportTo(m_folder / "d.onnx");
    ASSERT_EQ(failed.count(), 1);
    EXPECT_EQ(failed.front().front().value<Error>().line(),
        "the output would replace a file that is read: " + data.string() + ": name another file");
    EXPECT_EQ(m_session.activity(), Activity::Idle);
}

TEST_F(SessionTest, AnExportDoesNotReplaceTheFileItsRecipeCameFrom)
{
    open();
    edit(ignoringTypes({"Conv"}));
    const auto recipe = m_folder / "d.state.json"; // the name an export gives its state
    ASSERT_TRUE(m_session.saveRecipeAs(recipe));
    m_session.setData({"random:2", {}});
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.exportTo(m_folder / "d.onnx");
    ASSERT_EQ(failed.count(), 1);
    EXPECT_EQ(failed.front().front().value<Error>().line(),
        "the output would replace a file that is read: " + recipe.string() + ": name another file");
    EXPECT_TRUE(readRecipeFile(recipe, {})); // it is as it was
}

TEST_F(SessionTest, RuleThatMatchesNothingStopsTheExport)
{
    open();
    edit(RuleSet{{ignore(RuleKind::Name, "no such node")}});
    m_session.setData({"random:2", {}});
    QSignalSpy failed(&m_session, &Session::failed);
    const auto target = m_folder / "out.onnx";
    m_session.exportTo(target);
    ASSERT_TRUE(wait(failed));
    EXPECT_EQ(failed.front().front().value<Error>().line(),
        "a rule matches no node, so nothing was written: ignore name no such node: "
        "correct, disable or remove it in the rules table");
    EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(SessionTest, RuleThatMatchesNothingStopsMeasuringSensitivity)
{
    open();
    edit(RuleSet{{ignore(RuleKind::Name, "no such node")}});
    m_session.setData({"random:2", {}});
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.measureSensitivity(SensitivityDepth::Scopes);
    ASSERT_TRUE(wait(failed));
    EXPECT_EQ(failed.front().front().value<Error>().what, "a rule matches no node, so nothing was measured");
}

TEST_F(SessionTest, EndsWhileAJobRuns)
{
    auto session = std::make_unique<Session>();
    session->open(sample("digits_conv.onnx"));
    session.reset(); // waits for the job, delivers nothing
}

} // namespace
} // namespace duo::app
