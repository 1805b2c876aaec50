// SPDX-License-Identifier: Apache-2.0
// Types and shapes of inner values in the window: in Properties, and beside the edges of the graph.
#include "tests/app/gui/rules_window.h"
#include "views/style/format.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class ValueTypesInWindow : public RulesWindow
{
protected:
    bool areTypesFound()
    {
        return WindowDriver::waitFor([this] { return m_driver.window().session().types() != nullptr; });
    }
};

TEST_F(ValueTypesInWindow, ShapesOfInnerValuesAreInProperties)
{
    ASSERT_TRUE(areTypesFound());
    const auto types = m_driver.window().session().types();
    EXPECT_FALSE(types->problem) << types->problem->line();
    const ValueId output = snapshot()->model->node(node(kConv)).outputs.front();
    ASSERT_TRUE(types->of(output).shape);
    EXPECT_EQ(types->of(output).shape->size(), 4U);
    Q_EMIT graph()->selected(ui::selectNode(node(kConv)));
    const auto* properties = m_driver.find<ui::PropertiesView>("properties");
    EXPECT_TRUE(WindowDriver::waitFor([&] {
        return properties->toPlainText().contains(ui::typeText(types->of(output)));
    })) << properties->toPlainText().toStdString();
}

TEST_F(ValueTypesInWindow, AnotherModelHasItsOwn)
{
    ASSERT_TRUE(areTypesFound());
    ASSERT_TRUE(m_driver.open(m_driver.copySample("digits_transformer.onnx")));
    ASSERT_TRUE(areTypesFound());
    EXPECT_EQ(m_driver.window().session().types()->types.size(), snapshot()->model->values.size());
}

} // namespace
} // namespace duo::test
