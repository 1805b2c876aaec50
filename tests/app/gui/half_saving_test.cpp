// SPDX-License-Identifier: Apache-2.0
// A model in the real window, written in floats of 16 bits.
#include "core/onnx/reader.h"
#include "tests/app/gui/window_driver.h"
#include "views/shell/banner.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

class HalfWindow : public testing::Test
{
protected:
    std::string banner() { return m_driver.window().findChild<ui::Banner*>()->text().toStdString(); }
    bool says(const char* text)
    {
        return WindowDriver::waitFor([&] { return banner().find(text) != std::string::npos; });
    }
    std::filesystem::path save()
    {
        m_driver.action("actionSaveHalf")->trigger();
        const auto target = m_driver.folder() / "half.onnx";
        m_driver.answer("halfDialog", QDialogButtonBox::Save, target);
        return target;
    }

    WindowDriver m_driver;
};

TEST_F(HalfWindow, AModelIsWrittenInFloat16WhereItsValuesFit)
{
    EXPECT_FALSE(m_driver.action("actionSaveHalf")->isEnabled());
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    m_driver.window().session().setData({"random:2", {}});
    const auto target = save();
    ASSERT_TRUE(says("compute in float16")) << banner();
    EXPECT_THAT(banner(), HasSubstr("half.onnx: 2"));
    const auto written = readModel(target);
    ASSERT_TRUE(written) << written.error().line();
    EXPECT_TRUE(std::ranges::any_of((*written)->tensors,
        [](const Tensor& tensor) { return tensor.type == ElementType::Float16 && tensor.elements() > 1000; }));
}

TEST_F(HalfWindow, TheGraphShowsWhatStaysIn32BitsAndWhy)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    auto& session = m_driver.window().session();
    session.setData({"random:2", {}});
    m_driver.action("overlay:half")->trigger();
    auto* measure = m_driver.find<QPushButton>("overlayMeasure");
    ASSERT_TRUE(WindowDriver::waitFor([&] { return measure->isVisible(); }));
    measure->click();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return session.halves().report != nullptr; }));
    const auto* rows = m_driver.find<QLabel>("overlayRows");
    EXPECT_TRUE(WindowDriver::waitFor([&] { return rows->text().contains(QStringLiteral("16 bits")); }));
    EXPECT_FALSE(measure->isVisible());
}

TEST_F(HalfWindow, WithoutDataItSaysWhatIsMissing)
{
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_conv.onnx")));
    const auto target = save();
    ASSERT_TRUE(says("no calibration data chosen")) << banner();
    EXPECT_FALSE(std::filesystem::exists(target));
}

} // namespace
} // namespace duo::test
