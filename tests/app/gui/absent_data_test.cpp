// SPDX-License-Identifier: Apache-2.0
// A model whose external data are not there, in the window: its structure, and the button that asks for them.
#include "tests/app/gui/window_driver.h"
#include "tests/support/proto_rewrites.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QSignalSpy>

#include <fstream>

namespace duo::test {
namespace {

class AbsentDataTest : public testing::Test
{
protected:
    AbsentDataTest()
    {
        onnx::ModelProto model;
        std::ifstream file(m_driver.copySample("digits_conv.onnx"), std::ios::binary);
        model.ParseFromIstream(&file);
        m_data = initializersToFile(model, "digits.bin");
        m_model = m_driver.write("digits.onnx", model.SerializeAsString());
        std::filesystem::create_directory(m_driver.folder() / "elsewhere");
    }

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() { return m_driver.window().session().snapshot(); }
    [[nodiscard]] std::string banner() { return m_driver.find<ui::Banner>("banner")->text().toStdString(); }

    /// The button of the banner that offers to locate the data.
    void locate(const std::filesystem::path& file)
    {
        auto* button = m_driver.find<QPushButton>("bannerOffer");
        ASSERT_TRUE(button->isVisible());
        EXPECT_EQ(button->text(), QStringLiteral("Locate…"));
        QTest::mouseClick(button, Qt::LeftButton);
        m_driver.answer("locateDialog", QDialogButtonBox::Open, file);
    }

    WindowDriver m_driver;
    std::filesystem::path m_model;
    std::string m_data; // of digits.bin
};

TEST_F(AbsentDataTest, TheModelOpensAsStructure)
{
    ASSERT_TRUE(m_driver.open(m_model));
    EXPECT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "encoder"));
    EXPECT_TRUE(m_driver.clickScope(ui::TreeKind::Storage, "encoder"));
    EXPECT_NE(banner().find("digits.bin"), std::string::npos) << banner();
    EXPECT_NE(banner().find("structure"), std::string::npos) << banner();
}

TEST_F(AbsentDataTest, ThePictureIsShownOnceForThePaneThatTheMessageLeaves)
{
    QSignalSpy shown(&m_driver.window(), &app::MainWindow::pictureShown);
    ASSERT_TRUE(m_driver.open(std::string(DUO_TEST_DATA) + "/models/bert_encoder.dynamo.structure.onnx"));
    const auto* graph = m_driver.find<ui::GraphView>("graph");
    const std::set<std::string> open = graph->picture()->open;
    while (shown.wait(1500)) { // another one may be under way
    }
    EXPECT_EQ(shown.count(), 1);
    EXPECT_EQ(graph->picture()->open, open);
}

TEST_F(AbsentDataTest, WhatNeedsWeightsSaysSoAndOffersToLocateThem)
{
    ASSERT_TRUE(m_driver.open(m_model));
    for (const char* action : {"actionQuantize", "actionExport", "actionMeasure", "actionSensitivity"}) {
        m_driver.find<ui::Banner>("banner")->dismiss();
        m_driver.action(action)->trigger();
        EXPECT_NE(banner().find("digits.bin"), std::string::npos) << action << ": " << banner();
        EXPECT_TRUE(m_driver.find<QPushButton>("bannerOffer")->isVisible()) << action;
    }
}

TEST_F(AbsentDataTest, TheFileThatIsPointedAtCompletesTheModelInPlace)
{
    ASSERT_TRUE(m_driver.open(m_model));
    RuleSet rules;
    rules.rules.emplace_back();
    rules.rules.back().kind = RuleKind::Type;
    rules.rules.back().value = "MaxPool";
    m_driver.window().session().editRules(rules, QStringLiteral("a rule"));
    ASSERT_TRUE(m_driver.settled());
    locate(m_driver.write("elsewhere/another name.bin", m_data));
    ASSERT_TRUE(WindowDriver::waitFor([this] { return snapshot()->placement != nullptr; }));
    EXPECT_FALSE(snapshot()->refusal);
    EXPECT_EQ(snapshot()->recipe.rules, rules);
    EXPECT_TRUE(m_driver.window().session().undoStack()->canUndo());
    EXPECT_EQ(banner(), "The model is complete now.");
}

TEST_F(AbsentDataTest, WhoNamesNoFileIsOfferedItAgain)
{
    ASSERT_TRUE(m_driver.open(m_model));
    auto* button = m_driver.find<QPushButton>("bannerOffer");
    QTest::mouseClick(button, Qt::LeftButton);
    m_driver.answer("locateDialog", QDialogButtonBox::Cancel, {});
    EXPECT_TRUE(button->isVisible());
    EXPECT_NE(banner().find("digits.bin"), std::string::npos) << banner();
}

TEST_F(AbsentDataTest, AFileThatDoesNotFitLeavesTheStructure)
{
    ASSERT_TRUE(m_driver.open(m_model));
    locate(m_driver.write("elsewhere/digits.bin", "short"));
    ASSERT_TRUE(WindowDriver::waitFor([this] { return banner().find("ends behind its file") != std::string::npos; }))
        << banner();
    EXPECT_NE(banner().find("elsewhere/digits.bin"), std::string::npos) << banner();
    EXPECT_FALSE(snapshot()->placement);
    locate(m_driver.write("elsewhere/digits.bin", m_data));
    EXPECT_TRUE(WindowDriver::waitFor([this] { return snapshot()->placement != nullptr; })) << banner();
}

} // namespace
} // namespace duo::test
