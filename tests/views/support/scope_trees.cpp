// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/scope_trees.h"

#include "tests/views/support/text_tree.h"

#include <QLineEdit>
#include <QTest>

#include <gtest/gtest.h>

namespace duo::test {

QModelIndex rowOf(const QTreeView& view, const char* text)
{
    return findRow(*view.model(), text);
}

QStringList selectedNames(const QTreeView& view)
{
    QStringList names;
    for (const QModelIndex& index : view.selectionModel()->selectedRows())
        names += index.data().toString();
    names.sort();
    return names;
}

void filterBy(ui::ScopeTreesPanel& panel, const char* words, const char* name, bool isShown)
{
    panel.findChild<QLineEdit*>(QStringLiteral("scopeFilter"))->setText(QString::fromUtf8(words));
    const auto isDone = [&] {
        return rowOf(*panel.tree(ui::TreeKind::Execution), name).isValid() == isShown
            && !panel.tree(ui::TreeKind::Execution)->isFilterChanging()
            && !panel.tree(ui::TreeKind::Storage)->isFilterChanging();
    };
    ASSERT_TRUE(QTest::qWaitFor(isDone));
}

} // namespace duo::test
