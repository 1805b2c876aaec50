// SPDX-License-Identifier: Apache-2.0
// Item models as text, to compare with what a test expects, and rows by theirs.
#pragma once

#include <QAbstractItemModel>

#include <string>

namespace duo::test {

/// A line per row, two spaces per level, the columns named joined by " | ", empty ones left out.
std::string printTree(const QAbstractItemModel& model, const std::vector<int>& columns);
/// The first row that says just this; invalid where none does.
QModelIndex findRow(const QAbstractItemModel& model, const char* text);

} // namespace duo::test
