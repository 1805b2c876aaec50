// SPDX-License-Identifier: Apache-2.0
// Banner, results, status bar and dock title say the same of what a result is of, and a warning is one that acts.
#include "tests/app/gui/rules_window.h"

#include <QDockWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBrowser>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class ResultNews : public RulesWindow
{
protected:
    void SetUp() override
    {
        RulesWindow::SetUp();
        (void)m_driver.copySample("digits_calibration.npz");
        session().setData({(m_driver.folder() / "digits_calibration.npz").string(), {}});
    }

    [[nodiscard]] app::Session& session() { return m_driver.window().session(); }
    [[nodiscard]] ui::Banner* banner() { return m_driver.find<ui::Banner>("banner"); }
    [[nodiscard]] QPushButton* offer() { return m_driver.find<QPushButton>("bannerOffer"); }
    [[nodiscard]] QString results() { return m_driver.find<QTextBrowser>("results")->toPlainText(); }

    void ignoreConvolutions()
    {
        RuleSet rules;
        rules.rules.emplace_back();
        rules.rules.front().kind = RuleKind::Type;
        rules.rules.front().value = "Conv";
        session().editRules(rules, QStringLiteral("Test"));
    }

    /// @param result how the banner begins, and the results
    void expectOfEarlierRules(bool isOfEarlier, const char* result)
    {
        const QString text = banner()->text();
        EXPECT_TRUE(banner()->isVisible());
        EXPECT_TRUE(text.startsWith(QLatin1String(result))) << text.toStdString();
        EXPECT_EQ(text.contains(QStringLiteral("of earlier rules")), isOfEarlier) << text.toStdString();
        EXPECT_EQ(banner()->tone(), ui::Banner::Tone::Warning); // the other way for pairs of products
        EXPECT_TRUE(offer()->isVisible());
        EXPECT_EQ(offer()->text().contains(QStringLiteral("again")), isOfEarlier) << offer()->text().toStdString();
        EXPECT_TRUE(results().contains(QLatin1String(result))) << results().toStdString();
        EXPECT_EQ(results().contains(QStringLiteral("Of earlier rules")), isOfEarlier) << results().toStdString();
        EXPECT_EQ(m_driver.find<QDockWidget>("dockResults")->windowTitle(),
            isOfEarlier ? QStringLiteral("Results !") : QStringLiteral("Results"));
        const QString status = m_driver.find<QLabel>("statusCounts")->text();
        EXPECT_EQ(status.contains(QStringLiteral("rules changed since")), isOfEarlier) << status.toStdString();
    }
};

TEST_F(ResultNews, SensitivityOfEarlierRulesIsMeasuredAgainWithOneClick)
{
    const auto isMeasured = [this] {
        return banner()->text().startsWith(QStringLiteral("Everything quantized"))
            && banner()->text().contains(QStringLiteral(" dB over 4 samples."));
    };
    m_driver.action("actionSensitivity")->trigger();
    ASSERT_TRUE(WindowDriver::waitFor(isMeasured)) << banner()->text().toStdString();
    ignoreConvolutions();
    ASSERT_TRUE(WindowDriver::waitFor([this] { return offer()->isVisible(); }));
    EXPECT_EQ(offer()->text(), QStringLiteral("Measure again")) << banner()->text().toStdString();
    QTest::mouseClick(offer(), Qt::LeftButton);
    EXPECT_TRUE(WindowDriver::waitFor(isMeasured)) << banner()->text().toStdString();
}

TEST_F(ResultNews, ARuleChangedWhileItIsQuantizedIsSaidEverywhereUntilItIsUndone)
{
    QSignalSpy calibrated(&session(), &app::Session::calibrated);
    session().calibrate();
    ignoreConvolutions();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return calibrated.count() == 1; }));
    ASSERT_TRUE(m_driver.settled());
    expectOfEarlierRules(true, "Quantized: ");
    session().undoStack()->undo();
    expectOfEarlierRules(false, "Quantized: ");
    session().undoStack()->redo();
    expectOfEarlierRules(true, "Quantized: ");
}

TEST_F(ResultNews, ARuleChangedWhileItIsExportedIsSaidEverywhere)
{
    QSignalSpy exported(&session(), &app::Session::exported);
    session().exportTo(m_driver.folder() / "out.onnx");
    ignoreConvolutions();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return exported.count() == 1; }));
    ASSERT_TRUE(m_driver.settled());
    expectOfEarlierRules(true, "Exported out.onnx");
    session().undoStack()->undo();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_FALSE(banner()->text().contains(QStringLiteral("of earlier rules")));
    EXPECT_FALSE(results().contains(QStringLiteral("Of earlier rules")));
}

TEST_F(ResultNews, TheSettingThatItsOwnButtonChangedIsSaidToBeAnotherOne)
{
    QSignalSpy calibrated(&session(), &app::Session::calibrated);
    session().calibrate();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return calibrated.count() == 1; }));
    ASSERT_EQ(offer()->text(), QStringLiteral("Set overflow_fix: enable"));
    QTest::mouseClick(offer(), Qt::LeftButton);
    ASSERT_TRUE(m_driver.settled());
    expectOfEarlierRules(true, "Quantized: ");
    session().undoStack()->undo();
    ASSERT_TRUE(m_driver.settled());
    expectOfEarlierRules(false, "Quantized: ");
}

TEST_F(ResultNews, AnExportIsAnEarlierOneOnceOtherDataAreChosen)
{
    QSignalSpy exported(&session(), &app::Session::exported);
    session().exportTo(m_driver.folder() / "out.onnx");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return exported.count() == 1; }));
    const auto* outcome = m_driver.find<QLabel>("statusOutcome");
    EXPECT_TRUE(outcome->text().startsWith(QStringLiteral("measured"))) << outcome->text().toStdString();
    session().setData({"random:2", {}});
    EXPECT_FALSE(banner()->isVisible());
    EXPECT_TRUE(results().contains(QStringLiteral("Export of an earlier run"))) << results().toStdString();
    EXPECT_TRUE(results().contains(QStringLiteral("! Changed since: the data."))) << results().toStdString();
    EXPECT_FALSE(outcome->text().startsWith(QStringLiteral("measured"))) << outcome->text().toStdString();
}

TEST_F(ResultNews, WrongSumsOnSomeComputersAreAWarningWithTheWayOut)
{
    QSignalSpy calibrated(&session(), &app::Session::calibrated);
    session().calibrate();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return calibrated.count() == 1; }));
    EXPECT_EQ(banner()->tone(), ui::Banner::Tone::Warning) << banner()->text().toStdString();
    EXPECT_TRUE(banner()->text().contains(QStringLiteral("without VNNI"))) << banner()->text().toStdString();
    ASSERT_TRUE(offer()->isVisible());
    const int steps = undoSteps();
    QTest::mouseClick(offer(), Qt::LeftButton);
    EXPECT_EQ(session().recipe().quantization.overflowFix, OverflowFix::Enable);
    EXPECT_EQ(undoSteps(), steps + 1);
    session().calibrate();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return calibrated.count() == 2; }));
    EXPECT_FALSE(banner()->text().contains(QStringLiteral("without VNNI"))) << banner()->text().toStdString();
    EXPECT_FALSE(offer()->isVisible());
    session().undoStack()->undo();
    EXPECT_EQ(session().recipe().quantization.overflowFix, std::nullopt);
}

TEST_F(ResultNews, OtherDataMakeTheResultAnEarlierOne)
{
    QSignalSpy calibrated(&session(), &app::Session::calibrated);
    session().calibrate();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return calibrated.count() == 1; }));
    session().setData({"random:2", {}});
    EXPECT_FALSE(banner()->isVisible());
    EXPECT_TRUE(results().startsWith(QStringLiteral("Quantization of an earlier run, "))) << results().toStdString();
    EXPECT_TRUE(results().contains(QStringLiteral("! Changed since: the data."))) << results().toStdString();
}

TEST_F(ResultNews, TheStatusBarSaysWhatIsForeseenAndOnceItIsExportedWhatWasMeasured)
{
    const auto* outcome = m_driver.find<QLabel>("statusOutcome");
    const auto says = [&](const char* beginning) {
        return WindowDriver::waitFor([&] { return outcome->text().startsWith(QLatin1String(beginning)); });
    };
    ASSERT_TRUE(says("foreseen: about ")) << outcome->text().toStdString();
    EXPECT_TRUE(outcome->text().endsWith(QStringLiteral("464.0 kB"))) << outcome->text().toStdString();
    session().measure();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return outcome->text().contains(QStringLiteral(" kB, ")); }))
        << outcome->text().toStdString();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return session().activity() == app::Activity::Idle; }));
    session().exportTo(m_driver.folder() / "out.onnx");
    ASSERT_TRUE(says("measured: ")) << outcome->text().toStdString();
    EXPECT_TRUE(outcome->text().endsWith(QStringLiteral(" dB"))) << outcome->text().toStdString();
    ignoreConvolutions();
    EXPECT_FALSE(outcome->text().startsWith(QStringLiteral("measured"))) << outcome->text().toStdString();
    EXPECT_TRUE(says("foreseen: about ")) << outcome->text().toStdString();
}

TEST_F(ResultNews, AccuracyIsShownWhereLabelsLieWithTheData)
{
    session().setData({(std::filesystem::path(DUO_SAMPLES) / "digits_test.npz").string(), {}});
    session().exportTo(m_driver.folder() / "out.onnx");
    const auto* outcome = m_driver.find<QLabel>("statusOutcome");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return outcome->text().startsWith(QStringLiteral("measured: ")); }));
    EXPECT_TRUE(outcome->text().contains(QStringLiteral("top-1 accuracy "))) << outcome->text().toStdString();
    EXPECT_TRUE(results().contains(QStringLiteral("array 'labels' of digits_test.npz"))) << results().toStdString();
    EXPECT_TRUE(session().recipe().rules.rules.empty()) << "no scope is kept in float for it";
}

} // namespace
} // namespace duo::test
