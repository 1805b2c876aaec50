// SPDX-License-Identifier: Apache-2.0
// The runs of a model as a table in the real window: what came of each, two compared, one restored.
#include "tests/app/gui/rules_window.h"
#include "tests/app/gui/setup_rows.h"
#include "tests/support/file_bytes.h"
#include "views/results/runs_dialog.h"
#include "views/results/runs_model.h"
#include "views/shell/banner.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

class RunWindow : public RulesWindow
{
protected:
    [[nodiscard]] app::Session& session() { return m_driver.window().session(); }
    [[nodiscard]] std::string said() { return m_driver.find<ui::Banner>("banner")->text().toStdString(); }
    [[nodiscard]] ui::RunsDialog* dialog() { return m_driver.find<ui::RunsDialog>("runsDialog"); }
    [[nodiscard]] QTableView* table() { return dialog()->findChild<QTableView*>(); }
    [[nodiscard]] QPushButton* button(const char* name)
    {
        return dialog()->findChild<QPushButton*>(QLatin1String(name));
    }

    std::filesystem::path exported(const std::string& name)
    {
        const auto target = m_driver.folder() / name;
        QSignalSpy done(&session(), &app::Session::exported);
        QSignalSpy kept(&session(), &app::Session::runsChanged);
        session().exportTo(target);
        EXPECT_TRUE(WindowDriver::waitFor([&] { return done.count() == 1 && kept.count() == 1; })) << said();
        return target;
    }
    void ignore(const std::string& name)
    {
        Recipe recipe = session().recipe();
        recipe.rules.rules.emplace_back().value = name;
        session().editRecipe(recipe, QStringLiteral("edit"));
        ASSERT_TRUE(m_driver.settled());
    }

    /// Cells between bars.
    static std::vector<std::string> rowsOf(const QAbstractItemModel& model)
    {
        std::vector<std::string> rows;
        for (int row = 0; row < model.rowCount(); ++row) {
            std::string text;
            for (int column = 0; column < model.columnCount(); ++column)
                text += (column > 0 ? " | " : "") + model.index(row, column).data().toString().toStdString();
            rows.push_back(text);
        }
        return rows;
    }
};

TEST_F(RunWindow, RunsAreComparedAndOneIsRestoredWithAClick)
{
    m_driver.action("actionRuns")->trigger();
    ASSERT_NE(dialog(), nullptr);
    EXPECT_FALSE(table()->isVisible()) << "nothing was quantized yet";
    session().setData({"random:2", {}});
    const auto first = exported("first.onnx");
    ignore(kConv);
    exported("second.onnx");
    const auto rows = rowsOf(*table()->model());
    ASSERT_EQ(rows.size(), 2U) << "the open table follows";
    EXPECT_THAT(rows[0], HasSubstr("exported second.onnx"));
    EXPECT_THAT(rows[0], HasSubstr("as now"));
    EXPECT_THAT(rows[1], HasSubstr("exported first.onnx"));
    EXPECT_THAT(rows[1], HasSubstr("other now: the rules or settings"));

    table()->selectAll();
    EXPECT_FALSE(button("restoreRun")->isEnabled());
    QTest::mouseClick(button("compareRuns"), Qt::LeftButton);
    ASSERT_TRUE(WindowDriver::waitFor([this] { return m_driver.find<ui::SetupDialog>("setupDialog") != nullptr; }));
    auto* difference = m_driver.find<ui::SetupDialog>("setupDialog");
    const auto differences = setupRows(*difference);
    EXPECT_THAT(differences, Contains("  ignore name " + kConv + " | – | yes"));
    EXPECT_THAT(differences, Contains(HasSubstr("  size | ")));
    difference->reject();

    table()->selectRow(1);
    EXPECT_FALSE(button("compareRuns")->isEnabled());
    session().setData({});
    table()->selectRow(1);
    QTest::mouseClick(button("restoreRun"), Qt::LeftButton);
    ASSERT_TRUE(WindowDriver::waitFor([this] { return said().find("is restored") != std::string::npos; })) << said();
    ASSERT_TRUE(m_driver.settled());
    EXPECT_TRUE(rules().empty());
    EXPECT_EQ(bytesOf(exported("again.onnx")), bytesOf(first));
    EXPECT_EQ(session().undoStack()->undoText().toStdString(), "Restore a run");
}

TEST_F(RunWindow, ColumnsSortByNumbersAndRunsCanBeForgotten)
{
    session().setData({"random:2", {}});
    exported("all.onnx");
    ignore(kConv);
    exported("fewer.onnx");
    m_driver.action("actionRuns")->trigger();
    table()->sortByColumn(ui::RunsModel::Quantizers, Qt::AscendingOrder);
    EXPECT_THAT(rowsOf(*table()->model())[0], HasSubstr("fewer.onnx"));
    table()->sortByColumn(ui::RunsModel::Quantizers, Qt::DescendingOrder);
    EXPECT_THAT(rowsOf(*table()->model())[0], HasSubstr("all.onnx"));
    table()->selectRow(0);
    QTest::mouseClick(button("removeRuns"), Qt::LeftButton);
    EXPECT_EQ(rowsOf(*table()->model()).size(), 1U);
    EXPECT_FALSE(button("removeRuns")->isEnabled());
    m_driver.restart();
    ASSERT_TRUE(m_driver.open(m_driver.folder() / "digits_conv.onnx"));
    m_driver.action("actionRuns")->trigger();
    EXPECT_EQ(rowsOf(*table()->model()).size(), 1U) << "as it was left";
}

} // namespace
} // namespace duo::test
