// SPDX-License-Identifier: Apache-2.0
// What the session keeps of a model by itself, and what it goes on with when the model is opened again or read anew.
#include "core/report/decision_sentences.h"
#include "tests/app/session/session_fixture.h"
#include "tests/core/pipeline/unfused_tail.h"
#include "tests/support/data_elsewhere.h"

#include <chrono>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::app {
namespace {

using testing::HasSubstr;

Recipe ignoring(const std::string& type)
{
    Recipe recipe = startingRecipe();
    recipe.rules.rules.emplace_back();
    recipe.rules.rules.front().kind = RuleKind::Type;
    recipe.rules.rules.front().value = type;
    return recipe;
}

class SessionKeepingTest : public SessionFixture
{
protected:
    SessionKeepingTest() { m_session.keepSessionsIn(m_folder / "sessions"); }

    [[nodiscard]] std::filesystem::path copy(const std::string& name, const std::string& as) const
    {
        std::filesystem::copy_file(sample(name), m_folder / as, std::filesystem::copy_options::overwrite_existing);
        return m_folder / as;
    }
    bool idle()
    {
        return waitUntil([this] { return m_session.activity() == Activity::Idle && !m_session.isTakingUp(); });
    }

    std::filesystem::path m_model = copy("digits_conv.onnx", "m.onnx");
};

TEST_F(SessionKeepingTest, AModelOpenedAgainGoesOnWithItsLastRecipeAsAnUndoableStep)
{
    open(m_model);
    EXPECT_FALSE(m_session.isRecipeTakenUp());
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    open();
    EXPECT_EQ(m_session.recipe(), startingRecipe()); // of another model
    open(m_model);
    EXPECT_TRUE(m_session.isRecipeTakenUp());
    EXPECT_EQ(m_session.recipe(), ignoring("Conv"));
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_session.undoStack()->count(), 1);
    m_session.undoStack()->undo();
    EXPECT_EQ(m_session.recipe(), startingRecipe());
    EXPECT_FALSE(m_session.isRecipeTakenUp());
    m_session.undoStack()->redo();
    m_session.startWithoutKept();
    EXPECT_EQ(m_session.recipe(), startingRecipe());
    EXPECT_FALSE(m_session.isRecipeTakenUp());
    open(m_model);
    EXPECT_FALSE(m_session.isRecipeTakenUp());
}

/// The engine runs "tail" in float between its quantizers, which only a written file shows.
TEST_F(SessionKeepingTest, WhatARunFoundIsShownAgainUnderItsRecipeDataAndModel)
{
    test::ProtoBuilder builder;
    addUnfusedTail(builder);
    builder.node("Tanh", "out", {"b"}, {"y"});
    const auto model = m_folder.write("tail.onnx", builder.text());
    const DataSource data{"random:4", {}};
    open(model, {data, {}, {}});
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder / "tail.int8.onnx");
    ASSERT_TRUE(wait(exported));
    const auto tail = [&] { return m_session.snapshot()->model->findNode("tail"); };
    const auto stateOfTail = [&] { return m_session.snapshot()->placement->decisions[tail().index].state; };
    const auto why = [&] { return whyText(*m_session.snapshot()->model, *m_session.snapshot()->placement, tail()); };
    const std::string measured = m_session.outcome().measured;
    const std::string told = why();
    EXPECT_THAT(measured, HasSubstr("measured: "));

    open();
    EXPECT_EQ(m_session.outcome().measured, "") << "of another model";
    open(model);
    EXPECT_TRUE(waitUntil([&] { return stateOfTail() == NodeState::Preset; }));
    EXPECT_EQ(why(), told);
    EXPECT_EQ(m_session.outcome().measured, measured);
    EXPECT_EQ(m_session.report(), nullptr);

    m_session.editRecipe(ignoring("GlobalAveragePool"), QStringLiteral("edit"));
    ASSERT_TRUE(settled());
    EXPECT_EQ(stateOfTail(), NodeState::Quantized) << "of these rules there is no run";
    EXPECT_EQ(m_session.outcome().measured, "");
    m_session.undoStack()->undo();
    EXPECT_TRUE(waitUntil([&] { return stateOfTail() == NodeState::Preset; }));
    m_session.setData({"random:5", {}});
    EXPECT_EQ(stateOfTail(), NodeState::Quantized) << "of these data there is no run";
    m_session.setData(data);
    EXPECT_TRUE(waitUntil([&] { return stateOfTail() == NodeState::Preset; }));

    std::filesystem::last_write_time(model, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
    open(model);
    ASSERT_TRUE(idle());
    QTest::qWait(100); // whatever would come
    EXPECT_EQ(stateOfTail(), NodeState::Quantized);
    EXPECT_EQ(m_session.outcome().measured, "");
}

TEST_F(SessionKeepingTest, AnExportThatTheEndCutShortIsToldTheNextTimeAndLeavesNoFiles)
{
    const auto target = m_folder / "out" / "m.int8.onnx";
    std::filesystem::create_directory(target.parent_path());
    {
        Session closed;
        closed.keepSessionsIn(m_folder / "sessions");
        QSignalSpy opened(&closed, &Session::opened);
        closed.open(m_model, {{"random:100", {}}, {}, {}});
        ASSERT_TRUE(wait(opened));
        EXPECT_EQ(closed.unfinished(), std::nullopt);
        QSignalSpy progressed(&closed, &Session::progressed);
        closed.exportTo(target);
        ASSERT_TRUE(closed.unfinished());
        ASSERT_TRUE(wait(progressed));
        closed.finishKeeping();
    }
    EXPECT_TRUE(std::filesystem::is_empty(target.parent_path()));
    open(m_model);
    ASSERT_TRUE(m_session.takenUp().unfinished);
    EXPECT_EQ(m_session.takenUp().unfinished->kind, UnfinishedKind::Export);
    EXPECT_EQ(m_session.takenUp().unfinished->target, target);

    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(target);
    ASSERT_TRUE(wait(exported));
    open(m_model);
    EXPECT_EQ(m_session.takenUp().unfinished, std::nullopt) << "this time it was finished";
    QSignalSpy stopped(&m_session, &Session::stopped);
    m_session.calibrate();
    m_session.stop();
    ASSERT_TRUE(wait(stopped));
    open(m_model);
    EXPECT_EQ(m_session.takenUp().unfinished, std::nullopt) << "it was meant to end";
}

TEST_F(SessionKeepingTest, WhatAKilledExportLeftIsRemovedAndOneThatIsInPlaceIsDone)
{
    const auto target = m_folder / "m.int8.onnx";
    const auto kept = [&](const std::string& begun) {
        SessionMemory memory(m_folder / "sessions", {});
        memory.begin(m_model);
        KeptSession session;
        session.unfinished = UnfinishedRun{UnfinishedKind::Export, begun, target};
        memory.keep(session);
        memory.finish();
    };
    const auto left = m_folder / ".m.int8.onnx.duoscope-999999999";
    std::filesystem::create_directory(left);
    kept("2026-01-01T00:00:00.000Z");
    open(m_model);
    EXPECT_TRUE(m_session.takenUp().unfinished);
    EXPECT_FALSE(std::filesystem::exists(left));

    m_folder.write("m.int8.onnx", "whole");
    open();
    kept("2026-01-01T00:00:00.000Z");
    open(m_model);
    EXPECT_EQ(m_session.takenUp().unfinished, std::nullopt) << "it is younger than the run";
    open();
    kept("9026-01-01T00:00:00.000Z");
    open(m_model);
    EXPECT_TRUE(m_session.takenUp().unfinished) << "it is of an earlier run";
}

TEST_F(SessionKeepingTest, WhatAKilledDeploymentLeftInItsFolderIsRemovedToo)
{
    const auto folder = m_folder / "deployed";
    const auto left = folder / ("." + m_model.filename().string() + ".duoscope-999999999");
    std::filesystem::create_directories(left);
    {
        SessionMemory memory(m_folder / "sessions", {});
        memory.begin(m_model);
        KeptSession session;
        session.unfinished = UnfinishedRun{UnfinishedKind::Deployment, "2026-01-01T00:00:00.000Z", folder};
        memory.keep(session);
        memory.finish();
    }
    open(m_model);
    ASSERT_TRUE(m_session.takenUp().unfinished);
    EXPECT_EQ(m_session.takenUp().unfinished->target, folder);
    EXPECT_FALSE(std::filesystem::exists(left));
}

TEST_F(SessionKeepingTest, DataThatWereLocatedAreFoundAgainTheNextTime)
{
    const auto [model, located] = test::writeDataElsewhere(m_folder, m_model);
    open(model);
    ASSERT_TRUE(idle());
    EXPECT_FALSE(m_session.snapshot()->placement);
    ASSERT_TRUE(m_session.locateData(located));
    ASSERT_TRUE(idle());
    EXPECT_TRUE(m_session.snapshot()->placement);
    open();
    ASSERT_TRUE(idle());
    open(model);
    ASSERT_TRUE(idle());
    EXPECT_TRUE(m_session.snapshot()->placement);
    std::filesystem::remove(located);
    open(model); // as structure, as before it was located
    ASSERT_TRUE(idle());
    EXPECT_FALSE(m_session.snapshot()->placement);
}

TEST_F(SessionKeepingTest, AnEditWhileTheSameModelIsOpenedAgainIsNotLost)
{
    open(m_model);
    QSignalSpy opened(&m_session, &Session::opened);
    m_session.open(m_model);
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    ASSERT_TRUE(wait(opened));
    EXPECT_EQ(m_session.recipe(), ignoring("Conv"));
}

TEST_F(SessionKeepingTest, IsEditedWhileItDiffersFromItsFileAlsoInTheNextSession)
{
    const auto file = m_folder.write("mine.recipe.json", recipeText(ignoring("Relu")));
    open(m_model);
    EXPECT_FALSE(m_session.isRecipeEdited());
    m_session.openRecipe(file);
    EXPECT_FALSE(m_session.isRecipeEdited());
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    EXPECT_TRUE(m_session.isRecipeEdited());
    open(m_model);
    EXPECT_TRUE(m_session.isRecipeEdited());
    m_session.editRecipe(ignoring("Relu"), QStringLiteral("edit"));
    EXPECT_FALSE(m_session.isRecipeEdited());
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    EXPECT_FALSE(m_session.saveRecipeAs(m_model));
    EXPECT_TRUE(m_session.isRecipeEdited());
    EXPECT_TRUE(m_session.saveRecipeAs(file));
    EXPECT_FALSE(m_session.isRecipeEdited());
    open(m_model);
    EXPECT_EQ(m_session.recipe(), ignoring("Conv"));
    EXPECT_FALSE(m_session.isRecipeEdited());
    m_session.startWithoutKept();
    EXPECT_FALSE(m_session.isRecipeEdited());
}

TEST_F(SessionKeepingTest, ARecipeNamedWithTheModelIsWhatItSaysWhateverWasKept)
{
    open(m_model);
    Recipe seven = ignoring("Conv");
    seven.quantization.subsetSize = 7;
    m_session.editRecipe(seven, QStringLiteral("edit"));
    open(m_model, {{}, {}, m_folder.write("rules.py", "nncf.IgnoredScope(types=[\"Relu\"])\n")});
    EXPECT_EQ(m_session.recipe().quantization, QuantizationSettings());
    ASSERT_EQ(m_session.rules().rules.size(), 1U);
    EXPECT_EQ(m_session.rules().rules.front().value, "Relu");
    m_session.undoStack()->undo();
    EXPECT_EQ(m_session.recipe(), seven);
}

TEST_F(SessionKeepingTest, DataBoundsAndViewAreThereAgainUnlessOthersAreNamed)
{
    DataSource samples{sample("digits_calibration.npz").string(), {}};
    samples.options.dims["N"] = 3;
    open(m_model);
    m_session.setData(samples);
    ExportDemands demands;
    demands.bounds.minSqnrDb = 30;
    m_session.setDemands(demands);
    m_session.setView({{"graph", {{"zoom", 2}}}});
    open();
    EXPECT_EQ(m_session.data(), DataSource());
    m_session.setDemands({});
    open(m_model);
    EXPECT_EQ(m_session.data(), samples);
    EXPECT_EQ(m_session.demands(), demands);
    EXPECT_EQ(m_session.view()["graph"]["zoom"], 2);
    EXPECT_TRUE(m_session.takenUp().data);
    EXPECT_TRUE(m_session.takenUp().demands);
    open(m_model, {{"random:2", {}}, {}, {}});
    EXPECT_EQ(m_session.data().spec, "random:2");
    EXPECT_FALSE(m_session.takenUp().data);
}

TEST_F(SessionKeepingTest, ACheckpointAndMeasuredStatisticsAreInUseAgainWithoutARun)
{
    m_session.setStatisticsCache(StatisticsCache(m_folder / "cache"));
    const auto checkpoint = copy("digits_conv.safetensors", "other name.safetensors");
    open(m_model, {{sample("digits_calibration.npz").string(), {}}, checkpoint, {}});
    ASSERT_TRUE(idle());
    m_session.measure();
    ASSERT_TRUE(idle());
    ASSERT_TRUE(m_session.statistics().file);
    open();
    ASSERT_TRUE(idle());
    EXPECT_FALSE(m_session.statistics().file);
    open(m_model);
    ASSERT_TRUE(idle());
    ASSERT_TRUE(m_session.snapshot()->checkpoint);
    EXPECT_EQ(m_session.snapshot()->checkpoint->path, checkpoint);
    EXPECT_EQ(m_session.checkpointOrigin(), CheckpointOrigin::TakenUp);
    ASSERT_TRUE(m_session.statistics().file);
    EXPECT_TRUE(m_session.statistics().fromCache);
}

TEST_F(SessionKeepingTest, FilesThatAreGoneAreToldAndTheRestGoesOn)
{
    const auto checkpoint = copy("digits_conv.safetensors", "other name.safetensors");
    open(m_model, {{}, checkpoint, {}});
    ASSERT_TRUE(idle());
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    std::filesystem::remove(checkpoint);
    open(m_model);
    ASSERT_TRUE(idle());
    EXPECT_THAT(m_session.takenUp().gone, testing::ElementsAre(checkpoint));
    EXPECT_EQ(m_session.recipe(), ignoring("Conv"));
    EXPECT_FALSE(m_session.snapshot()->checkpoint);
}

TEST_F(SessionKeepingTest, ResultsStayAsEarlierOnesThatSayWhatIsAnotherOneNow)
{
    open(m_model, {{sample("digits_calibration.npz").string(), {}}, {}, {}});
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder / "m.int8.onnx");
    ASSERT_TRUE(wait(exported));
    EXPECT_TRUE(m_session.earlierResults().empty()); // it is the present one
    open(m_model);
    ASSERT_TRUE(idle());
    const auto earlier = m_session.earlierResults();
    ASSERT_EQ(earlier.size(), 1U);
    EXPECT_EQ(earlier.front().kind, ResultKind::Export);
    EXPECT_THAT(earlier.front().text, HasSubstr("m.int8.onnx"));
    EXPECT_THAT(changesSince(earlier.front().of, m_session.origin()), testing::IsEmpty());
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    m_session.setData({"random:3", {}});
    EXPECT_THAT(changesSince(earlier.front().of, m_session.origin()),
        testing::ElementsAre("the rules or settings", "the data"));
}

TEST_F(SessionKeepingTest, AQuantizationThatWasNotExportedIsAnEarlierResultToo)
{
    open(m_model, {{sample("digits_calibration.npz").string(), {}}, {}, {}});
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated));
    EXPECT_TRUE(m_session.earlierResults().empty());
    open(m_model);
    ASSERT_TRUE(idle());
    const auto earlier = m_session.earlierResults();
    ASSERT_EQ(earlier.size(), 1U);
    EXPECT_EQ(earlier.front().kind, ResultKind::Quantization);
    EXPECT_THAT(earlier.front().text, HasSubstr("23 quantizers, ranges measured on 200 samples\n"));
    EXPECT_THAT(earlier.front().text, HasSubstr("CPUs without VNNI"));
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder / "m.int8.onnx");
    ASSERT_TRUE(wait(exported));
    open(m_model);
    ASSERT_TRUE(idle());
    ASSERT_EQ(m_session.earlierResults().size(), 1U); // the export says it
    EXPECT_EQ(m_session.earlierResults().front().kind, ResultKind::Export);
}

TEST_F(SessionKeepingTest, MeasuredTimesAreThereAgainOfTheModelTheyAreOf)
{
    QSignalSpy measured(&m_session, &Session::timesMeasured);
    QSignalSpy takenUp(&m_session, &Session::timesTakenUp);
    open(m_model);
    m_session.setData({"random:1", {}});
    m_session.measureTimes();
    ASSERT_TRUE(wait(measured));
    const auto times = m_session.times().times;
    m_session.finishKeeping();
    EXPECT_TRUE(takenUp.isEmpty()) << "none were kept before";

    open();
    EXPECT_EQ(m_session.times().times, nullptr) << "of another model";
    open(m_model);
    ASSERT_TRUE(wait(takenUp));
    EXPECT_EQ(m_session.times().model, m_session.snapshot()->model);
    EXPECT_EQ(m_session.times().times->ofNode, times->ofNode);
    EXPECT_EQ(m_session.times().times->date, times->date);

    std::filesystem::last_write_time(m_model, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
    open(m_model);
    open();
    EXPECT_EQ(takenUp.count(), 1) << "another file by now";
}

TEST_F(SessionKeepingTest, MeasuredSensitivityIsThereAgainOfTheModelAndDataItIsOf)
{
    const DataSource samples{sample("digits_calibration.npz").string(), {}};
    QSignalSpy measured(&m_session, &Session::sensitivityChanged);
    QSignalSpy takenUp(&m_session, &Session::sensitivityTakenUp);
    open(m_model, {samples, {}, {}});
    m_session.measureSensitivity();
    ASSERT_TRUE(wait(measured));
    const std::string text = sensitivityText(*m_session.sensitivity().report);
    m_session.finishKeeping();
    EXPECT_TRUE(takenUp.isEmpty()) << "none was kept before";

    open();
    EXPECT_EQ(m_session.sensitivity().report, nullptr) << "of another model";
    open(m_model);
    ASSERT_TRUE(wait(takenUp));
    EXPECT_EQ(sensitivityText(*m_session.sensitivity().report), text);
    EXPECT_TRUE(m_session.isSensitivityCurrent());
    EXPECT_TRUE(m_session.earlierResults().empty()) << "it is shown itself";

    m_session.setData({"random:2", {}});
    EXPECT_EQ(m_session.sensitivity().report, nullptr);
    ASSERT_TRUE(idle());
    EXPECT_EQ(takenUp.count(), 1) << "of other data";
    m_session.setData(samples);
    ASSERT_TRUE(wait(takenUp, 2));
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    ASSERT_TRUE(idle());
    open(m_model);
    ASSERT_TRUE(wait(takenUp, 3));
    EXPECT_FALSE(m_session.isSensitivityCurrent()) << "of earlier rules";
}

TEST_F(SessionKeepingTest, WhatCanComputeInHalfPrecisionIsThereAgain)
{
    QSignalSpy measured(&m_session, &Session::halvesMeasured);
    QSignalSpy takenUp(&m_session, &Session::halvesTakenUp);
    open(m_model);
    m_session.setData({"random:1", {}});
    m_session.measureHalves();
    ASSERT_TRUE(wait(measured));
    const auto applied = m_session.halves().report->applied;
    m_session.finishKeeping();
    EXPECT_FALSE(applied.empty());
    EXPECT_TRUE(takenUp.isEmpty()) << "none were kept before";

    open();
    EXPECT_EQ(m_session.halves().report, nullptr) << "of another model";
    open(m_model);
    ASSERT_TRUE(wait(takenUp));
    EXPECT_EQ(m_session.halves().report->applied, applied);
    EXPECT_TRUE(m_session.halves().isOf(*m_session.snapshot()));
    Recipe inFloat = m_session.recipe();
    Rule& rule = inFloat.rules.rules.emplace_back();
    rule.action = RuleAction::Precision;
    rule.precision.floatBits = 32;
    rule.value = m_session.snapshot()->model->nodes.front().name;
    m_session.editRecipe(inFloat, QStringLiteral("edit"));
    ASSERT_TRUE(settled());
    EXPECT_FALSE(m_session.halves().isOf(*m_session.snapshot())) << "it keeps another node in float";
}

TEST_F(SessionKeepingTest, AModelReadAnewKeepsRulesUndoAndData)
{
    const DataSource samples{sample("digits_calibration.npz").string(), {}};
    open(m_model, {samples, {}, {}});
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder / "m.int8.onnx");
    ASSERT_TRUE(wait(exported));
    const auto before = m_session.snapshot()->model;
    std::filesystem::remove(m_model);
    (void)copy("digits_transformer.onnx", "m.onnx");
    QSignalSpy reloaded(&m_session, &Session::reloaded);
    ASSERT_TRUE(m_session.reload());
    EXPECT_FALSE(m_session.reload()); // it is at it
    ASSERT_TRUE(wait(reloaded));
    ASSERT_TRUE(idle());
    EXPECT_NE(m_session.snapshot()->model, before);
    EXPECT_EQ(m_session.snapshot()->recipe, ignoring("Conv"));
    EXPECT_EQ(m_session.data(), samples);
    EXPECT_EQ(m_session.undoStack()->count(), 1);
    EXPECT_FALSE(m_session.report());
    EXPECT_FALSE(m_session.result());
    ASSERT_EQ(m_session.earlierResults().size(), 1U);
    EXPECT_THAT(changesSince(m_session.earlierResults().front().of, m_session.origin()),
        testing::ElementsAre("the model's file"));
}

/// The weights of what is open come from the file as it is.
TEST_F(SessionKeepingTest, AFileWrittenInPlaceMustBeReadAgainBeforeAnythingRuns)
{
    open(m_model, {{sample("digits_calibration.npz").string(), {}}, {}, {}});
    std::ofstream(m_model, std::ios::app).put('\0');
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.measure();
    m_session.calibrate();
    m_session.measureSensitivity();
    m_session.exportTo(m_folder / "m.int8.onnx");
    ASSERT_EQ(failed.count(), 4);
    EXPECT_EQ(m_folder.withoutPath(failed.front().front().value<Error>().line()),
        "the model's file was written over since it was read: DIR/m.onnx: reload it (F5)");
    EXPECT_EQ(m_session.activity(), Activity::Idle);
}

TEST_F(SessionKeepingTest, AFileWrittenInPlaceIsReadAnew)
{
    ASSERT_GT(std::filesystem::file_size(m_model), 300'000U); // mapped: its bytes have changed under what is shown
    open(m_model);
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    ASSERT_TRUE(settled());
    const auto sizeOf = [](const std::filesystem::path& path) { return std::filesystem::file_size(path); };
    for (const char* name : {"digits_transformer.onnx", "digits_conv.onnx"}) { // one is shorter
        const auto before = m_session.snapshot()->model;
        std::ofstream(m_model, std::ios::binary) << std::ifstream(sample(name), std::ios::binary).rdbuf();
        QSignalSpy reloaded(&m_session, &Session::reloaded);
        ASSERT_TRUE(m_session.reload());
        ASSERT_TRUE(wait(reloaded)) << name;
        ASSERT_TRUE(settled());
        EXPECT_NE(m_session.snapshot()->model, before);
        EXPECT_EQ(m_session.snapshot()->model->fileBytes, sizeOf(sample(name)));
        EXPECT_EQ(m_session.recipe(), ignoring("Conv"));
    }
}

TEST_F(SessionKeepingTest, AFileThatWasReplacedIsStillThereUnnamedAndCanBeRun)
{
    open(m_model, {{sample("digits_calibration.npz").string(), {}}, {}, {}});
    std::filesystem::rename(copy("digits_transformer.onnx", "new.onnx"), m_model);
    m_session.calibrate();
    ASSERT_TRUE(idle());
    EXPECT_TRUE(m_session.result());
}

TEST_F(SessionKeepingTest, AFileWrittenOverWhileAJobRunsGivesNoResult)
{
    open(m_model, {{sample("digits_calibration.npz").string(), {}}, {}, {}});
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.calibrate();
    std::ofstream(m_model, std::ios::app).put('\0');
    ASSERT_TRUE(idle());
    EXPECT_EQ(failed.count(), 1);
    EXPECT_FALSE(m_session.result());
}

TEST_F(SessionKeepingTest, AFileThatIsNoModelAnyMoreLeavesEverythingAsItWas)
{
    open(m_model);
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    ASSERT_TRUE(settled());
    const auto before = m_session.snapshot();
    std::filesystem::remove(m_model);
    (void)m_folder.write("m.onnx", "half");
    QSignalSpy failed(&m_session, &Session::failed);
    ASSERT_TRUE(m_session.reload());
    ASSERT_TRUE(wait(failed));
    EXPECT_EQ(m_session.snapshot(), before);
    EXPECT_EQ(m_session.recipe(), ignoring("Conv"));
}

TEST_F(SessionKeepingTest, TwoWindowsDoNotOverwriteEachOtherAndBothCanBeGoneOnWith)
{
    open(m_model);
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    m_session.finishKeeping();
    {
        Session second;
        second.keepSessionsIn(m_folder / "sessions");
        QSignalSpy opened(&second, &Session::opened);
        second.open(m_model);
        ASSERT_TRUE(wait(opened));
        EXPECT_TRUE(second.takenUp().isShared);
        EXPECT_EQ(second.recipe(), ignoring("Conv")); // as the first one has it
        second.editRecipe(ignoring("Relu"), QStringLiteral("edit"));
    }
    EXPECT_EQ(m_session.recipe(), ignoring("Conv"));
    open(m_model);
    const auto recipes = [this] { return m_session.recipe(); };
    const Recipe last = recipes();
    EXPECT_FALSE(m_session.takenUp().other.empty());
    ASSERT_TRUE(m_session.goOnWithOther());
    ASSERT_TRUE(settled());
    EXPECT_THAT((std::vector{last, recipes()}), testing::UnorderedElementsAre(ignoring("Conv"), ignoring("Relu")));
    m_session.undoStack()->undo();
    EXPECT_EQ(m_session.recipe(), last);
}

} // namespace
} // namespace duo::app
