// SPDX-License-Identifier: Apache-2.0
// The Transforms pane of the real window: the model simplified, back, and a look ahead.
#include "tests/app/gui/rules_window.h"

#include <QCheckBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

using TransformsPane = RulesWindow;

TEST_F(TransformsPane, TellsWhatWasSimplifiedComesBackToWhatWasOpenedAndLooksAhead)
{
    auto& session = m_driver.window().session();
    ASSERT_TRUE(session.snapshot()->opened);
    const auto opened = session.snapshot()->opened->model;
    m_driver.find<QDockWidget>("dockTransforms")->raise();
    auto* summary = m_driver.find<QLabel>("transformsSummary");
    auto* on = m_driver.find<QCheckBox>("transformsOn");
    EXPECT_TRUE(on->isChecked());
    EXPECT_TRUE(summary->text().contains(QStringLiteral(" became "))) << summary->text().toStdString();
    EXPECT_LT(session.snapshot()->model->nodes.size(), opened->nodes.size());

    on->click();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return session.snapshot()->model == opened; }));
    ASSERT_TRUE(m_driver.settled());
    QTest::mouseClick(m_driver.find<QPushButton>("transformsLook"), Qt::LeftButton);
    ASSERT_TRUE(WindowDriver::waitFor([&] { return summary->text().contains(QStringLiteral("would become")); }))
        << summary->text().toStdString();
    EXPECT_EQ(session.snapshot()->model, opened);

    m_driver.action("actionUndo")->trigger();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return session.snapshot()->model != opened; }));
    ASSERT_TRUE(m_driver.settled());
    EXPECT_TRUE(on->isChecked());
}

TEST_F(TransformsPane, SelectionAndFormStayWhenTheyAreSwitchedOff)
{
    auto& session = m_driver.window().session();
    const auto opened = session.snapshot()->opened->model;
    select({kConv});
    m_driver.action("actionShowOriginal")->trigger();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return graph()->picture()->form == GraphForm::Original; }));
    m_driver.find<QDockWidget>("dockTransforms")->raise();
    m_driver.find<QCheckBox>("transformsOn")->click();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return session.snapshot()->model == opened; }));
    ASSERT_TRUE(m_driver.settled());
    EXPECT_TRUE(WindowDriver::waitFor([&] {
        return graph()->picture()->form == GraphForm::Original && graph()->picture()->snapshot->model == opened;
    }));
    EXPECT_TRUE(tree()->selectionModel()->isSelected(rowOf(node(kConv))));
}

} // namespace
} // namespace duo::test
