// SPDX-License-Identifier: Apache-2.0
// The setup of the open model beside that of a file, in the real window.
#include "tests/app/gui/rules_window.h"
#include "tests/app/gui/setup_rows.h"
#include "tests/support/proto_builder.h"
#include "views/shell/banner.h"

#include <QLabel>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;

class SetupWindow : public RulesWindow
{
protected:
    /// The rows that both panes show.
    std::vector<std::string> compareWith(const std::filesystem::path& file)
    {
        m_driver.action("actionCompareSetup")->trigger();
        m_driver.answer("setupFileDialog", QDialogButtonBox::Open, file);
        if (!WindowDriver::waitFor([&] { return m_driver.find<ui::SetupDialog>("setupDialog") != nullptr; }))
            return {"no dialog"};
        return setupRows(*m_driver.find<ui::SetupDialog>("setupDialog"));
    }

    QTreeView* pane(const char* name)
    {
        return m_driver.find<ui::SetupDialog>("setupDialog")->findChild<QTreeView*>(QLatin1String(name));
    }
};

TEST_F(SetupWindow, ARecipeIsComparedWithTheOneInUse)
{
    const auto file = m_driver.write("other.recipe.json",
        R"({"format": "duoscope-recipe", "version": 1, "rules": [{"kind": "type", "value": "Gemm", "action": "ignore"}],
            "quantization": {"preset": "mixed"}})");
    const auto rows = compareWith(file);
    EXPECT_THAT(rows, testing::Contains("  ignore type Gemm | – | yes"));
    EXPECT_THAT(rows, testing::Contains(HasSubstr("  /quantization/preset | ")));
}

TEST_F(SetupWindow, QuantizersOfAModelAreFoundInThePanes)
{
    ProtoBuilder other;
    other.input("x", {1, 4}).output("y", {1, 4}).weight("scale", {}, {0.5F});
    other.node("QuantizeLinear", "q", {"x", "scale"}, {"codes"});
    other.node("DequantizeLinear", "dq", {"codes", "scale"}, {"back"});
    other.node("Relu", "relu", {"back"}, {"y"});
    const auto file = m_driver.write("quantized.onnx", other.text());
    ASSERT_TRUE(m_driver.open(file));
    auto rows = compareWith(file);
    EXPECT_TRUE(rows.empty()) << rows.front();
    EXPECT_FALSE(pane("firstSetup")->isVisible());
    m_driver.find<ui::SetupDialog>("setupDialog")->reject();
    ASSERT_TRUE(WindowDriver::waitFor([&] { return m_driver.find<ui::SetupDialog>("setupDialog") == nullptr; }));

    ProtoBuilder wider;
    wider.input("x", {1, 4}).output("y", {1, 4}).weight("scale", {}, {1.0F});
    wider.node("QuantizeLinear", "q", {"x", "scale"}, {"codes"});
    wider.node("DequantizeLinear", "dq", {"codes", "scale"}, {"back"});
    wider.node("Relu", "relu", {"back"}, {"y"});
    rows = compareWith(m_driver.write("wider.onnx", wider.text()));
    EXPECT_THAT(rows,
        testing::ElementsAre(
            "Quantizers (1)", "  (root) (1)", "    x | scale 0.5, zero point 0 | scale 1, zero point 0"));
    EXPECT_TRUE(m_driver.action("overlay:difference")->isChecked());
    const auto marked = [](const QTreeView* view) {
        const QModelIndex root = view->model()->index(0, ui::ScopeTreeModel::OverlayColumn);
        return root.data().toString().toStdString();
    };
    EXPECT_EQ(marked(tree()), "other range");
    QTreeView* second = pane("secondSetup");
    const QModelIndex scope = second->model()->index(0, 0, second->model()->index(0, 0));
    second->setCurrentIndex(second->model()->index(0, 0, scope));
    EXPECT_TRUE(WindowDriver::waitFor([&] { return tree()->selectionModel()->hasSelection(); }));
}

TEST_F(SetupWindow, AFileThatIsNoneIsSaidInTheBanner)
{
    m_driver.action("actionCompareSetup")->trigger();
    m_driver.answer("setupFileDialog", QDialogButtonBox::Open, m_driver.write("broken.json", "{"));
    auto* banner = m_driver.window().findChild<ui::Banner*>();
    EXPECT_TRUE(WindowDriver::waitFor([&] { return banner->text().contains(QStringLiteral("broken.json")); }))
        << banner->text().toStdString();
}

} // namespace
} // namespace duo::test
