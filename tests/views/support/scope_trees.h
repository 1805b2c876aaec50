// SPDX-License-Identifier: Apache-2.0
// What tests ask of scope trees.
#pragma once

#include "views/trees/scope_trees_panel.h"

#include <QStringList>
#include <QTreeView>

namespace duo::test {

/// The first row that says just this; invalid where none does.
QModelIndex rowOf(const QTreeView& view, const char* text);
/// What Qt knows to be selected, in the order of letters.
QStringList selectedNames(const QTreeView& view);
/// Types a filter and waits for what follows. @param isShown the row of this name then, in the execution tree
void filterBy(ui::ScopeTreesPanel& panel, const char* words, const char* name, bool isShown);

} // namespace duo::test
