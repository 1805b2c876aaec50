// SPDX-License-Identifier: Apache-2.0
#include "views/trees/scope_delegate.h"

#include "tests/views/support/drawn_texts.h"
#include "tests/views/support/snapshot_builder.h"
#include "tests/views/support/text_tree.h"
#include "views/trees/scope_tree_view.h"

#include <QPainter>

#include <algorithm>

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

TEST(ScopeDelegate, NoNumberIsCut)
{
    const QFontMetrics metrics{QFont()};
    const auto fitted = [&](const char* text, const char* room) {
        return fittingCell(QString::fromUtf8(text), metrics, metrics.horizontalAdvance(QString::fromUtf8(room)))
            .toStdString();
    };
    const char* state = "◪ 20,841/50,019, ⊘ 1,254";
    EXPECT_EQ(fitted(state, state), state);
    EXPECT_EQ(fitted(state, "◪ 20.8k/50k, ⊘ 1.25k"), "◪ 20.8k/50k, ⊘ 1.25k");
    EXPECT_EQ(fitted(state, "◪ 20.8k/50k"), "◪ 20.8k/50k");
    EXPECT_EQ(fitted(state, "◪ 20.8k"), "◪");
    EXPECT_EQ(fitted("⊘ 99/1,000 ignored", "⊘ 99/1,000"), "⊘ 99/1,000");
    EXPECT_EQ(fitted("⊘ 99/1,000 ignored", "⊘ 99/1k"), "⊘ 99/1k");
    EXPECT_EQ(fitted("≠ 1,254", "≠ 1.25k"), "≠ 1.25k");
    EXPECT_EQ(fitted("≠ 1,254", "≠ 1."), "≠");
    EXPECT_EQ(fitted("464.0 kB", "464.0"), "…");
}

TEST(ScopeDelegate, AShapeGoesOnOverTheEmptyCellsBesideAName)
{
    ScopeTreeView tree(TreeKind::Storage);
    tree.resize(400, 300);
    tree.show();
    tree.setSnapshot(test::makeSnapshot({{"/conv", "Conv", "net", {"net"}, {"net.weight_of_it"}}}));
    tree.expandAll();
    const QModelIndex name = test::findRow(*tree.model(), "weight_of_it");
    ASSERT_TRUE(name.isValid());
    const int indent = tree.visualRect(name).left();
    tree.setColumnWidth(ScopeTreeModel::NameColumn,
        indent + tree.fontMetrics().horizontalAdvance(QStringLiteral("weight_of_it"))); // no room for more
    test::TextRecorder recorder(tree.size());
    {
        QPainter painter(&recorder);
        QStyleOptionViewItem option;
        option.initFrom(&tree);
        option.widget = &tree;
        option.rect = tree.visualRect(name.siblingAtColumn(ScopeTreeModel::DiffersColumn));
        tree.itemDelegate()->paint(&painter, option, name.siblingAtColumn(ScopeTreeModel::DiffersColumn));
    }
    ASSERT_EQ(recorder.texts().size(), 1U);
    EXPECT_EQ(recorder.texts().front().text, QStringLiteral("[2, 2]"));
}

TEST(ScopeDelegate, AShapeBeginsWhereANameIsCut)
{
    ScopeTreeView tree(TreeKind::Storage);
    tree.resize(400, 300);
    tree.show();
    tree.setSnapshot(test::makeSnapshot({{"/conv", "Conv", "net", {"net"}, {"net." + std::string(60, 'w')}}}));
    tree.expandAll();
    const QModelIndex name = test::findRow(*tree.model(), std::string(60, 'w').c_str());
    ASSERT_TRUE(name.isValid());
    test::TextRecorder recorder(tree.size());
    {
        QPainter painter(&recorder);
        QStyleOptionViewItem option;
        option.initFrom(&tree);
        option.widget = &tree;
        option.rect = tree.visualRect(name);
        tree.itemDelegate()->paint(&painter, option, name);
    }
    const auto shape = std::ranges::find(recorder.texts(), QStringLiteral("[2, 2]"), &test::DrawnText::text);
    ASSERT_NE(shape, recorder.texts().end()) << "whole";
    EXPECT_LT(shape->rect.left(), tree.columnWidth(ScopeTreeModel::NameColumn) + 20);
}

} // namespace
} // namespace duo::ui
