// SPDX-License-Identifier: Apache-2.0
// The Parameter pane of the real window: what the selection reads, and its values as a file.
#include "tests/app/gui/rules_window.h"
#include "tests/support/file_bytes.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

using ParameterPane = RulesWindow;

TEST_F(ParameterPane, ShowsWhatTheSelectedScopeReadsAndSavesIt)
{
    m_driver.find<QDockWidget>("dockParameter")->raise();
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "head/fc"));
    auto* about = m_driver.find<QLabel>("parameterAbout");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return about->text().contains(QStringLiteral(" values from ")); }));
    EXPECT_TRUE(about->text().contains(QStringLiteral("channels along axis 0"))) << about->text().toStdString();
    EXPECT_TRUE(m_driver.find<QComboBox>("parameterNames")->currentText().startsWith(QStringLiteral("head.fc.weight")));
    QTest::mouseClick(m_driver.find<QPushButton>("parameterSave"), Qt::LeftButton);
    const auto target = m_driver.folder() / "weight.npy";
    ASSERT_NO_FATAL_FAILURE(m_driver.answer("saveParameterDialog", QDialogButtonBox::Save, target));
    ASSERT_TRUE(WindowDriver::waitFor([&] { return std::filesystem::exists(target); }));
    EXPECT_EQ(bytesOf(target).substr(1, 5), "NUMPY");
    auto* banner = m_driver.find<ui::Banner>("banner");
    EXPECT_TRUE(WindowDriver::waitFor([&] { return banner->text().contains(QStringLiteral("weight.npy")); }))
        << banner->text().toStdString();
}

} // namespace
} // namespace duo::test
