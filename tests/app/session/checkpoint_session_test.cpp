// SPDX-License-Identifier: Apache-2.0
// What the session does by itself about checkpoints and recipes, and when what it made is out of date.
#include "tests/app/session/session_fixture.h"

#include <gtest/gtest.h>

namespace duo::app {
namespace {

class CheckpointSessionTest : public SessionFixture
{
protected:
    CheckpointSessionTest() { m_session.setCheckpointMemory(CheckpointMemory(m_settings)); }
    ~CheckpointSessionTest() override { m_session.setCheckpointMemory({}); } // the settings go before the session

    [[nodiscard]] std::filesystem::path copy(const std::string& name) const
    {
        std::filesystem::copy_file(sample(name), m_folder / name);
        return m_folder / name;
    }

    QSettings m_settings{QString::fromStdString(m_folder / "settings.ini"), QSettings::IniFormat};
};

TEST_F(CheckpointSessionTest, TheOneBesideTheModelIsUsedUntilItIsLeftOut)
{
    (void)copy("digits_conv.safetensors");
    const auto model = copy("digits_conv.onnx");
    QSignalSpy changed(&m_session, &Session::checkpointChanged);
    open(model);
    ASSERT_TRUE(wait(changed));
    EXPECT_NE(m_session.snapshot()->checkpoint, nullptr);
    EXPECT_EQ(m_session.checkpointOrigin(), CheckpointOrigin::FoundBeside);
    m_session.leaveCheckpointOut();
    ASSERT_TRUE(wait(changed, 2));
    EXPECT_EQ(m_session.snapshot()->checkpoint, nullptr);
    open(model);
    EXPECT_EQ(m_session.activity(), Activity::Idle); // it is not picked up again
    EXPECT_TRUE(m_session.addCheckpoint(m_folder / "digits_conv.safetensors")); // unless it is asked for
    ASSERT_TRUE(wait(changed, 3));
    EXPECT_EQ(m_session.checkpointOrigin(), CheckpointOrigin::Asked);
    EXPECT_FALSE(CheckpointMemory(m_settings).isLeftOut(model));
}

TEST_F(CheckpointSessionTest, ADamagedOneIsAnErrorOnlyWhereItWasAskedFor)
{
    const auto damaged = m_folder.write("digits_conv.safetensors", "no tensors");
    QSignalSpy unusable(&m_session, &Session::checkpointUnusable);
    QSignalSpy failed(&m_session, &Session::failed);
    open(copy("digits_conv.onnx"));
    ASSERT_TRUE(wait(unusable));
    EXPECT_EQ(failed.count(), 0);
    EXPECT_TRUE(m_session.addCheckpoint(damaged));
    EXPECT_FALSE(m_session.addCheckpoint(damaged)); // while the first is compared
    ASSERT_TRUE(wait(failed));
    EXPECT_EQ(unusable.count(), 1);
    EXPECT_EQ(m_session.snapshot()->checkpoint, nullptr);
}

TEST_F(CheckpointSessionTest, WhatIsGivenWithAModelIsUsedWithItOnly)
{
    const auto model = copy("digits_conv.onnx");
    const Companions companions{{"random:2", {}}, sample("digits_conv.safetensors"),
        m_folder.write("my.recipe.json", R"({"format": "duoscope-recipe", "version": 1, "rules": []})")};
    QSignalSpy changed(&m_session, &Session::checkpointChanged);
    QSignalSpy recipe(&m_session, &Session::recipeOpened);
    open(model, companions);
    ASSERT_TRUE(wait(changed));
    EXPECT_EQ(recipe.count(), 1);
    EXPECT_EQ(m_session.data().spec, "random:2");
    EXPECT_EQ(m_session.checkpointOrigin(), CheckpointOrigin::Asked);
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.open(m_folder.write("broken.onnx", "no model"), companions);
    ASSERT_TRUE(wait(failed));
    open(model);
    EXPECT_TRUE(m_session.data().spec.empty());
    EXPECT_EQ(m_session.activity(), Activity::Idle); // no checkpoint is compared
    EXPECT_EQ(m_session.snapshot()->checkpoint, nullptr);
    EXPECT_EQ(recipe.count(), 1);
}

TEST_F(CheckpointSessionTest, TheSameModelOpenedAgainKeepsWhatWasGivenWithIt)
{
    const auto model = m_folder.write("later.onnx", "no model yet");
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.open(model, {{"random:2", {}}, {}, {}});
    ASSERT_TRUE(wait(failed));
    std::filesystem::remove(model);
    std::filesystem::copy_file(sample("digits_conv.onnx"), model);
    QSignalSpy opened(&m_session, &Session::opened);
    m_session.openAgain(m_folder.path());
    ASSERT_TRUE(wait(opened));
    EXPECT_EQ(m_session.data().spec, "random:2");
}

TEST_F(CheckpointSessionTest, WhatTheProgramWasCalledWithWaitsForTheFirstModel)
{
    m_session.setFirstCompanions({{"random:2", {}}, {}, {}});
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.open(m_folder.write("broken.onnx", "no model"));
    ASSERT_TRUE(wait(failed));
    open(copy("digits_conv.onnx"));
    EXPECT_EQ(m_session.data().spec, "random:2");
    open(m_folder / "digits_conv.onnx");
    EXPECT_TRUE(m_session.data().spec.empty());
}

TEST_F(CheckpointSessionTest, ARecipeTellsWhichRulesMatchNothing)
{
    QSignalSpy failed(&m_session, &Session::failed);
    const auto recipe = m_folder.write("my.recipe.json", R"({"format": "duoscope-recipe", "version": 1, "rules": [
        {"action": "ignore", "kind": "type", "value": "Conv"}, {"action": "ignore", "kind": "name", "value": "none"}]})");
    m_session.openRecipe(recipe);
    ASSERT_EQ(failed.count(), 1);
    EXPECT_EQ(failed[0][0].value<Error>().what, "a recipe needs the model that it is for");
    open(copy("digits_conv.onnx"));
    QSignalSpy opened(&m_session, &Session::recipeOpened);
    m_session.openRecipe(recipe);
    ASSERT_TRUE(wait(opened));
    const auto told = opened[0][0].value<OpenedRecipe>();
    EXPECT_EQ(told.name, "my.recipe.json");
    EXPECT_EQ(told.rules, 2U);
    EXPECT_EQ(told.unmatched.rules, std::vector<std::size_t>{1});
    EXPECT_EQ(told.unmatched.known, 0U);
    EXPECT_EQ(m_session.undoStack()->undoText(), QStringLiteral("Open recipe my.recipe.json"));
    EXPECT_FALSE(m_session.saveRecipeAs(m_session.snapshot()->model->path)); // it would replace the model
    EXPECT_TRUE(m_session.saveRecipeAs(m_folder / "saved.recipe.json"));
}

TEST_F(CheckpointSessionTest, ADeploymentFolderHoldsTheExportAndWhatBelongsToIt)
{
    open(copy("digits_conv.onnx"));
    m_session.setData({"random:2", {}});
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.deployTo(m_folder / "out");
    ASSERT_TRUE(wait(exported));
    EXPECT_EQ(m_session.report()->files.front(), m_folder / "out" / "digits_conv.onnx");
    for (const char* file : {"digits_conv.onnx", "digits_conv.state.json", "report.html", "run.cpp"})
        EXPECT_TRUE(std::filesystem::exists(m_folder / "out" / file)) << file;
    QSignalSpy failed(&m_session, &Session::failed);
    m_session.deployTo(m_folder.path()); // where the model lies
    ASSERT_EQ(failed.count(), 1);
    EXPECT_EQ(failed[0][0].value<Error>().what, "the output would replace the input");
}

TEST_F(CheckpointSessionTest, AReportIsStaleUnderOtherRulesAndCurrentAgainAfterUndo)
{
    open(copy("digits_conv.onnx"));
    EXPECT_TRUE(m_session.lacksData(Activity::Exporting));
    m_session.setData({"random:2", {}});
    EXPECT_FALSE(m_session.lacksData(Activity::Exporting));
    QSignalSpy exported(&m_session, &Session::exported);
    EXPECT_TRUE(m_session.isReportCurrent()); // there is none
    m_session.exportTo(m_folder / "out.onnx");
    ASSERT_TRUE(wait(exported));
    EXPECT_NE(m_session.report(), nullptr);
    EXPECT_TRUE(m_session.isReportCurrent());
    EXPECT_EQ(m_session.unexported(), nullptr);
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules.front().kind = RuleKind::Type;
    rules.rules.front().value = "Conv";
    m_session.editRules(rules, QStringLiteral("edit"));
    EXPECT_FALSE(m_session.isReportCurrent());
    m_session.undoStack()->undo();
    EXPECT_TRUE(m_session.isReportCurrent());
    ASSERT_TRUE(settled());
    QSignalSpy calibrated(&m_session, &Session::calibrated);
    m_session.calibrate();
    ASSERT_TRUE(wait(calibrated));
    EXPECT_NE(m_session.unexported(), nullptr);
    open(m_folder / "digits_conv.onnx");
    EXPECT_EQ(m_session.report(), nullptr);
}

TEST_F(CheckpointSessionTest, WhatWasMadeIsStaleWhereACheckpointMovesNodesFromUnderARule)
{
    open(copy("digits_conv.onnx"));
    RuleSet rules; // of "head.fc" and "head.squeeze", which the checkpoint calls "encoder.squeeze"
    rules.rules.emplace_back();
    rules.rules.front().kind = RuleKind::StorageScope;
    rules.rules.front().value = "head";
    m_session.editRules(rules, QStringLiteral("edit"));
    ASSERT_TRUE(settled());
    m_session.setData({"random:2", {}});
    QSignalSpy measured(&m_session, &Session::sensitivityChanged);
    m_session.measureSensitivity();
    ASSERT_TRUE(wait(measured));
    QSignalSpy exported(&m_session, &Session::exported);
    m_session.exportTo(m_folder / "out.onnx");
    ASSERT_TRUE(wait(exported));
    const auto expectCurrent = [this](bool isCurrent) {
        EXPECT_EQ(m_session.isResultCurrent(), isCurrent);
        EXPECT_EQ(m_session.isReportCurrent(), isCurrent);
        EXPECT_EQ(m_session.isSensitivityCurrent(), isCurrent);
    };
    expectCurrent(true);
    QSignalSpy changed(&m_session, &Session::checkpointChanged);
    EXPECT_TRUE(m_session.addCheckpoint(sample("digits_conv.safetensors")));
    ASSERT_TRUE(wait(changed));
    expectCurrent(false);
    m_session.leaveCheckpointOut();
    ASSERT_TRUE(wait(changed, 2));
    expectCurrent(true);
}

} // namespace
} // namespace duo::app
