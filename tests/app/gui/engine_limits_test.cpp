// SPDX-License-Identifier: Apache-2.0
// How long the engine may run a sample and how much memory it may take, chosen in the window.
#include "tests/app/gui/rules_window.h"

#include "app/gui/engine_limits.h"
#include "core/engine/engine_process.h"
#include "core/engine/run_limit.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class EngineLimitsInWindow : public RulesWindow
{
protected:
    void TearDown() override
    {
        app::setLimits(app::usualLimits());
        RulesWindow::TearDown();
    }
    ui::LimitsDialog* dialog()
    {
        m_driver.action("actionLimits")->trigger();
        return m_driver.find<ui::LimitsDialog>("limitsDialog");
    }
};

TEST_F(EngineLimitsInWindow, AreChosenInTheMenuAndKept)
{
    auto* limits = dialog();
    ASSERT_NE(limits, nullptr);
    EXPECT_EQ(limits->limits(), app::usualLimits());
    auto* time = limits->findChild<QSpinBox*>(QStringLiteral("sampleTime"));
    time->selectAll();
    QTest::keyClicks(time, QStringLiteral("25"));
    limits->findChild<QDoubleSpinBox*>(QStringLiteral("engineMemory"))->setValue(1.5);
    QTest::keyClick(limits, Qt::Key_Return);
    EXPECT_EQ(sampleTime(), std::chrono::seconds(25));
    EXPECT_EQ(engineMemory(), std::optional<std::uint64_t>(1536ULL << 20U));
    const ui::EngineLimits kept = app::readLimits(m_driver.settings());
    EXPECT_EQ(kept.sampleTime, std::chrono::seconds(25));
    EXPECT_EQ(kept.memory, 1536ULL << 20U);
}

TEST_F(EngineLimitsInWindow, KeptOnesThatCannotBeAreAsUsual)
{
    m_driver.settings().setValue(QStringLiteral("engine/sampleTime"), QStringLiteral("-4"));
    m_driver.settings().setValue(QStringLiteral("engine/memory"), QStringLiteral("much"));
    EXPECT_EQ(app::readLimits(m_driver.settings()), app::usualLimits());
    app::setLimits({std::chrono::seconds(30), 5}); // no engine runs in five bytes
    EXPECT_EQ(engineMemory(), std::nullopt);
    EXPECT_EQ(sampleTime(), std::chrono::seconds(30));
}

} // namespace
} // namespace duo::test
