// SPDX-License-Identifier: Apache-2.0
#include "views/shell/limits_dialog.h"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <memory>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

using std::chrono::seconds;

constexpr EngineLimits kUsual{seconds(600), 0};

TEST(LimitsDialog, GivesBackWhatItWasGiven)
{
    for (const EngineLimits& limits : {kUsual, EngineLimits{seconds(5), 4ULL << 30U}})
        EXPECT_EQ(LimitsDialog(limits, kUsual, seconds(1000)).limits(), limits);
}

TEST(LimitsDialog, TakesNoLessMemoryThanTheEngineItself)
{
    LimitsDialog dialog(kUsual, kUsual, seconds(1000));
    auto* memory = dialog.findChild<QDoubleSpinBox*>(QStringLiteral("engineMemory"));
    EXPECT_EQ(memory->text(), QStringLiteral("all that the machine has"));
    memory->setValue(0.01);
    EXPECT_EQ(dialog.limits().memory, 64ULL << 20U);
}

TEST(LimitsDialog, AButtonBringsBackTheUsualOnes)
{
    LimitsDialog dialog({seconds(5), 1ULL << 30U}, kUsual, seconds(1000));
    dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::RestoreDefaults)->click();
    EXPECT_EQ(dialog.limits(), kUsual);
}

/// Whoever deletes it takes the focus from the box, which says then that it was edited.
TEST(LimitsDialog, MayEndWhileOneTypesInTheBoxOfMemory)
{
    auto dialog = std::make_unique<LimitsDialog>(kUsual, kUsual, seconds(1000));
    auto* memory = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("engineMemory"));
    int finished = 0;
    QObject::connect(memory, &QDoubleSpinBox::editingFinished, memory, [&finished] { ++finished; });
    dialog->show();
    dialog->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(dialog.get()));
    memory->setFocus();
    memory->findChild<QLineEdit*>()->setText(QStringLiteral("0.01 GiB"));
    dialog.reset();
    EXPECT_EQ(finished, 1);
}

} // namespace
} // namespace duo::ui
