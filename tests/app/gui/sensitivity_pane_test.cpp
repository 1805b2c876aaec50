// SPDX-License-Identifier: Apache-2.0
// The sensitivity of scopes in the real window: measured, shown in trees and graph, kept in float, taken back.
#include "tests/app/gui/window_driver.h"

#include <QCheckBox>
#include <QPushButton>
#include <QTableView>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class SensitivityPane : public testing::Test
{
protected:
    void SetUp() override
    {
        const auto model = m_driver.copySample("digits_conv.onnx");
        (void)m_driver.copySample("digits_calibration.npz");
        ASSERT_TRUE(m_driver.open(model));
        session().setData({(m_driver.folder() / "digits_calibration.npz").string(), {}});
    }

    app::Session& session() { return m_driver.window().session(); }

    void measure()
    {
        m_driver.find<QPushButton>("sensitivityMeasure")->click();
        ASSERT_TRUE(WindowDriver::waitFor([this] { return session().sensitivity().report != nullptr; }))
            << m_driver.find<ui::Banner>("banner")->text().toStdString();
    }

    WindowDriver m_driver;
};

TEST_F(SensitivityPane, BeforeAMeasurementTheButtonStandsBelowTheText)
{
    m_driver.find<QDockWidget>("dockSensitivity")->toggleViewAction()->trigger();
    const auto* text = m_driver.find<QLabel>("sensitivitySummary");
    const auto* button = m_driver.find<QPushButton>("sensitivityMeasure");
    const auto* view = m_driver.find<ui::SensitivityView>("sensitivityView");
    m_driver.find<QDockWidget>("dockSensitivity")->setFloating(true);
    m_driver.find<QDockWidget>("dockSensitivity")->resize(500, 400);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return view->height() > 300; }));
    EXPECT_LT(button->geometry().top() - text->geometry().bottom(), 20);
    EXPECT_LE(text->height(), text->heightForWidth(text->width()));
}

TEST_F(SensitivityPane, ALongRankingLeavesTheHeightToTreesAndGraph)
{
    measure();
    const auto* table = m_driver.find<QTableView>("sensitivityTable");
    const int row = table->rowHeight(0);
    ASSERT_GT(table->model()->rowCount(), 9);
    ASSERT_TRUE(WindowDriver::waitFor([&] {
        return table->isVisible() && table->viewport()->height() > 4 * row && table->viewport()->height() < 8 * row;
    })) << table->viewport()->height();
}

TEST_F(SensitivityPane, SaysNothingOfGroupsThatAreNotSplit)
{
    measure();
    const QString summary = m_driver.find<QLabel>("sensitivitySummary")->text();
    EXPECT_TRUE(summary.endsWith(QStringLiteral("groups were measured."))) << summary.toStdString();
}

TEST_F(SensitivityPane, OneClickKeepsWhatIsRecommendedInFloatAndUndoTakesItBack)
{
    auto* keep = m_driver.find<QPushButton>("sensitivityKeep");
    EXPECT_FALSE(keep->isEnabled());
    measure();
    auto* table = m_driver.find<QTableView>("sensitivityTable");
    EXPECT_GT(table->model()->rowCount(), 2);
    if (table->selectionModel()->selectedRows().isEmpty())
        table->selectRow(0);
    ASSERT_TRUE(keep->isEnabled());
    keep->click();
    const auto& rules = session().recipe().rules.rules;
    ASSERT_FALSE(rules.empty());
    EXPECT_EQ(rules.front().action, RuleAction::Ignore);
    EXPECT_EQ(rules.front().origin, "suggestion");
    ASSERT_TRUE(m_driver.settled());
    EXPECT_TRUE(m_driver.find<QLabel>("sensitivitySummary")->text().startsWith(QLatin1Char('!')));
    m_driver.action("actionUndo")->trigger();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_TRUE(session().recipe().rules.rules.empty());
    EXPECT_FALSE(m_driver.find<QLabel>("sensitivitySummary")->text().startsWith(QLatin1Char('!')));
}

TEST_F(SensitivityPane, OtherDataForgetIt)
{
    measure();
    session().setData({"random:4", {}});
    EXPECT_EQ(session().sensitivity().report, nullptr);
    EXPECT_TRUE(m_driver.find<QLabel>("sensitivitySummary")->text().startsWith(QStringLiteral("Not measured yet")));
}

TEST_F(SensitivityPane, ColoursTheTreesUntilItIsSwitchedOff)
{
    const auto first = [this] {
        const auto* tree = m_driver.window().findChild<ui::ScopeTreesPanel*>()->tree(ui::TreeKind::Execution);
        return tree->model()->index(0, ui::ScopeTreeModel::OverlayColumn);
    };
    EXPECT_FALSE(first().data(Qt::DecorationRole).isValid());
    measure();
    EXPECT_TRUE(first().data(Qt::DecorationRole).isValid());
    EXPECT_TRUE(m_driver.action("overlay:sensitivity")->isChecked());
    EXPECT_TRUE(m_driver.find<QCheckBox>("sensitivityOverlay")->isChecked());
    m_driver.find<QCheckBox>("sensitivityOverlay")->setChecked(false);
    EXPECT_FALSE(first().data(Qt::DecorationRole).isValid());
    EXPECT_TRUE(m_driver.action("overlay:decision")->isChecked());
}

} // namespace
} // namespace duo::test
