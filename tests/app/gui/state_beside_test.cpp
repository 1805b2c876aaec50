// SPDX-License-Identifier: Apache-2.0
// An export that is opened again: the state beside it is offered, and what it holds is shown.
#include "tests/app/gui/rules_window.h"

#include <gtest/gtest.h>

#include <QPushButton>
#include <QSignalSpy>

namespace duo::test {
namespace {

class StateBeside : public RulesWindow
{
protected:
    [[nodiscard]] QPushButton* offer() { return m_driver.find<QPushButton>("bannerOffer"); }
    [[nodiscard]] std::string said() { return m_driver.find<ui::Banner>("banner")->text().toStdString(); }
    [[nodiscard]] std::filesystem::path target() const { return m_driver.folder() / "m.int8.onnx"; }

    /// For TensorRT, with one convolution in float.
    void exportForTensorRt()
    {
        auto& session = m_driver.window().session();
        Recipe recipe = session.recipe();
        recipe.rules.rules.emplace_back().value = kConv;
        recipe.quantization.profile = Profile::TensorRt;
        session.editRecipe(recipe, QStringLiteral("edit"));
        session.setData({"random:2", {}});
        QSignalSpy exported(&session, &app::Session::exported);
        session.exportTo(target());
        ASSERT_TRUE(WindowDriver::waitFor([&] { return exported.count() == 1; })) << said();
        m_recipe = session.recipe();
    }

    bool isStateTold()
    {
        return WindowDriver::waitFor([this] { return said().find("m.int8.state.json") != std::string::npos; });
    }

    Recipe m_recipe;
};

TEST_F(StateBeside, IsOfferedWithWhatItHoldsAndTakenWithOneClick)
{
    ASSERT_NO_FATAL_FAILURE(exportForTensorRt());
    ASSERT_TRUE(m_driver.open(target()));
    ASSERT_TRUE(isStateTold()) << said();
    EXPECT_NE(said().find("1 rule, profile tensorrt, "), std::string::npos) << said();
    EXPECT_NE(said().find("measured on 2 samples"), std::string::npos) << said();
    EXPECT_TRUE(rules().empty()); // nothing is taken unasked
    ASSERT_TRUE(offer()->isVisible());
    EXPECT_EQ(offer()->text(), QStringLiteral("Use its setup"));
    QTest::mouseClick(offer(), Qt::LeftButton);
    ASSERT_TRUE(m_driver.settled());
    EXPECT_EQ(rules(), std::vector<std::string>{"ignore name " + std::string(kConv)});
    EXPECT_EQ(m_driver.window().session().recipe().quantization.profile, Profile::TensorRt);
    EXPECT_EQ(rulesTable()->model()->rowCount(), 1);
    EXPECT_FALSE(m_driver.window().isWindowModified()); // it is as in the file
    m_driver.action("actionUndo")->trigger();
    EXPECT_TRUE(rules().empty());
}

} // namespace
} // namespace duo::test
