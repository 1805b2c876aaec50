// SPDX-License-Identifier: Apache-2.0
// The settings form of the real window, by keys and clicks: what it says of this model, and that the text beside
// agrees.
#include "tests/app/gui/rules_window.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class SettingsFormWindow : public RulesWindow
{
protected:
    void SetUp() override
    {
        RulesWindow::SetUp();
        m_driver.find<QDockWidget>("dockConfig")->raise();
        ASSERT_TRUE(WindowDriver::waitFor([this] { return choices("preset")->isVisible(); }));
    }

    [[nodiscard]] QComboBox* choices(const char* key)
    {
        return m_driver.find<QComboBox>((std::string("setting:") + key).c_str());
    }
    [[nodiscard]] QString about(const char* key)
    {
        return m_driver.find<QLabel>((std::string("about:") + key).c_str())->text();
    }
    [[nodiscard]] bool says(const char* key, const char* text)
    {
        return WindowDriver::waitFor([&] { return about(key).contains(QLatin1String(text)); });
    }
    [[nodiscard]] std::string json()
    {
        return m_driver.find<QPlainTextEdit>("configText")->toPlainText().toStdString();
    }
    [[nodiscard]] const QuantizationSettings& settings() { return m_driver.window().session().recipe().quantization; }
};

TEST_F(SettingsFormWindow, AChoiceByKeysIsOneStepThatTheTextShows)
{
    choices("preset")->setFocus();
    m_driver.key(choices("preset"), Qt::Key_Down);
    EXPECT_EQ(settings().preset, Preset::Performance);
    EXPECT_NE(json().find("\"preset\": \"performance\""), std::string::npos) << json();
    m_driver.key(choices("preset"), Qt::Key_Down);
    EXPECT_EQ(settings().preset, Preset::Mixed);
    EXPECT_EQ(undoSteps(), 2);
    EXPECT_TRUE(m_driver.action("actionUndo")->text().endsWith(QStringLiteral("preset: mixed")));
    m_driver.key(choices("preset"), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(choices("preset")->currentText(), QStringLiteral("performance"));
    EXPECT_NE(json().find("\"preset\": \"performance\""), std::string::npos) << json();
    m_driver.key(choices("preset"), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(settings().preset, std::nullopt);
    EXPECT_EQ(json().find("preset"), std::string::npos) << json();
}

TEST_F(SettingsFormWindow, RowsSayWhatOtherValuesWouldChangeInThisModel)
{
    const auto quantizers = snapshot()->placement->setup.points.size();
    ASSERT_GT(quantizers, 0U);
    EXPECT_TRUE(says("preset", "<b>performance</b>: ")) << about("preset").toStdString();
    EXPECT_TRUE(about("preset").contains(QStringLiteral("become symmetric"))) << about("preset").toStdString();
    EXPECT_TRUE(about("preset").contains(QStringLiteral("<b>mixed</b>: nothing changes here")));
    EXPECT_TRUE(says("weights_quantization_params.per_channel", "become per-tensor"));
    EXPECT_TRUE(says("overflow_fix", "<b>enable</b>: ")) << about("overflow_fix").toStdString();
    EXPECT_TRUE(says("cross_layer_equalization", "known after the next quantization"));
    EXPECT_TRUE(says("bias_correction_params.threshold", "known once data were measured"));
    // Chosen, the other values are told of what there is then.
    choices("preset")->setFocus();
    m_driver.key(choices("preset"), Qt::Key_Down);
    EXPECT_TRUE(says("preset", "become asymmetric")) << about("preset").toStdString();
}

TEST_F(SettingsFormWindow, NoTextIsCutHoweverNarrowTheFormIs)
{
    ASSERT_TRUE(says("profile", "tensorrt</b>: "));
    auto* form = m_driver.find<QScrollArea>("settingsForm");
    form->resize(form->minimumWidth(), form->height());
    m_driver.settled();
    EXPECT_LE(form->widget()->minimumSizeHint().width(), form->viewport()->width());
}

TEST_F(SettingsFormWindow, NumbersAreWrittenAndUndone)
{
    auto* subset = m_driver.find<QLineEdit>("setting:subset_size");
    QTest::mouseClick(subset, Qt::LeftButton);
    QTest::keyClicks(subset, QStringLiteral("40"));
    m_driver.key(subset, Qt::Key_Tab);
    EXPECT_EQ(settings().subsetSize, 40);
    EXPECT_NE(json().find("\"subset_size\": 40"), std::string::npos) << json();
    m_driver.action("actionUndo")->trigger();
    EXPECT_TRUE(subset->text().isEmpty());
    EXPECT_EQ(undoSteps(), 1);
}

} // namespace
} // namespace duo::test
