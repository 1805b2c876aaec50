// SPDX-License-Identifier: Apache-2.0
// Modules become functions in the real window: the preview, the recipe, undo, and the file that is saved.
#include "core/onnx/outlined_model.h"
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"
#include "core/pipeline/outline_model.h"
#include "tests/app/gui/rules_window.h"
#include "views/shell/banner.h"
#include "views/transforms/function_dialog.h"

#include <QPushButton>

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class FunctionWindow : public RulesWindow
{
protected:
    OutlineRequest wanted() { return m_driver.window().session().recipe().functions; }
    ui::FunctionDialog* dialog() { return m_driver.find<ui::FunctionDialog>("functionDialog"); }
    QPushButton* ok() { return dialog()->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok); }
    bool ask(ui::TreeKind kind, const std::string& scope)
    {
        if (!m_driver.clickScope(kind, scope))
            return false;
        m_driver.action("actionMakeFunction")->trigger();
        return dialog() != nullptr && WindowDriver::waitFor([&] { return ok()->isEnabled(); });
    }
};

TEST_F(FunctionWindow, AScopeIsPreviewedMadeAFunctionOfTheRecipeAndSaved)
{
    EXPECT_FALSE(m_driver.action("actionSaveFunctions")->isEnabled());
    ASSERT_TRUE(ask(ui::TreeKind::Execution, "head/fc"));
    const auto* signature = dialog()->findChild<QLabel*>(QStringLiteral("functionSignature"));
    EXPECT_EQ(signature->text().toStdString(), "fc(x; weight, bias) -> (y)");
    ok()->click();
    EXPECT_THAT(wanted().scopes, ElementsAre("head/fc"));

    const auto target = m_driver.folder() / "f.onnx";
    m_driver.action("actionSaveFunctions")->trigger();
    m_driver.answer("functionsDialog", QDialogButtonBox::Save, target);
    auto* banner = m_driver.window().findChild<ui::Banner*>();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return banner->text().contains(QStringLiteral("1 functions")); }))
        << banner->text().toStdString();
    const auto written = readModel(target);
    ASSERT_TRUE(written) << written.error().line();
    EXPECT_EQ(localFunctions(**written).size(), 1U);

    m_driver.action("actionUndo")->trigger();
    EXPECT_TRUE(wanted().isEmpty());
    EXPECT_FALSE(m_driver.action("actionSaveFunctions")->isEnabled());
}

TEST_F(FunctionWindow, AScopeOfTheStorageTreeMeansTheCallsOfItsModule)
{
    ASSERT_TRUE(ask(ui::TreeKind::Storage, "head.fc"));
    ok()->click();
    EXPECT_THAT(wanted().scopes, ElementsAre("head/fc"));
    m_driver.action("actionForgetFunctions")->trigger();
    EXPECT_TRUE(wanted().isEmpty());
}

TEST_F(FunctionWindow, TheMenuOfATreeOffersIt)
{
    ASSERT_TRUE(m_driver.clickScope(ui::TreeKind::Execution, "head/fc"));
    openMenu(tree()->viewport(), tree()->visualRect(tree()->currentIndex()).center());
    EXPECT_TRUE(trigger("scopeMenu", QStringLiteral("Make &function")));
    EXPECT_NE(dialog(), nullptr);
}

TEST_F(FunctionWindow, AModelThatComesWithFunctionsIsQuantizedInsideAndSavedWithoutThem)
{
    const auto made = outlineFile(m_driver.copySample("digits_conv.onnx", "plain.onnx"), {}, {.all = true}, false);
    ASSERT_TRUE(made) << made.error().line();
    const auto file = m_driver.folder() / "with.onnx";
    ASSERT_TRUE(writeModel(*made->model, {}, file));
    EXPECT_FALSE(m_driver.action("actionSaveInlined")->isEnabled());
    ASSERT_TRUE(m_driver.open(file));
    const auto& decisions = snapshot()->placement->decisions;
    EXPECT_GT(std::ranges::count(decisions, NodeState::Quantized, &Decision::state), 3);
    EXPECT_TRUE(std::ranges::none_of(snapshot()->model->nodes, &Node::isCall));

    m_driver.action("actionForgetFunctions")->trigger();
    EXPECT_TRUE(wanted().flat);
    EXPECT_FALSE(m_driver.action("actionForgetFunctions")->isEnabled());
    m_driver.action("actionUndo")->trigger();
    EXPECT_FALSE(wanted().flat);
    ASSERT_TRUE(m_driver.settled());

    m_driver.action("actionSaveInlined")->trigger();
    m_driver.answer("inlineDialog", QDialogButtonBox::Save, m_driver.folder() / "flat.onnx");
    auto* banner = m_driver.window().findChild<ui::Banner*>();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return banner->text().contains(QStringLiteral("written out in")); }))
        << banner->text().toStdString();
    const auto written = readModel(m_driver.folder() / "flat.onnx");
    ASSERT_TRUE(written) << written.error().line();
    EXPECT_TRUE(localFunctions(**written).empty());
}

} // namespace
} // namespace duo::test
