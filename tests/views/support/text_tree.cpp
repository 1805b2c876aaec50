// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/text_tree.h"

namespace duo::test {
namespace {

void printRows(const QAbstractItemModel& model, const std::vector<int>& columns, const QModelIndex& parent, int level,
    std::string& text)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        text += std::string(static_cast<std::size_t>(level) * 2, ' ');
        bool isFirst = true;
        for (const int column : columns) {
            const std::string cell = model.index(row, column, parent).data().toString().toStdString();
            if (cell.empty())
                continue;
            text += (isFirst ? "" : " | ") + cell;
            isFirst = false;
        }
        text += '\n';
        printRows(model, columns, model.index(row, 0, parent), level + 1, text);
    }
}

} // namespace

std::string printTree(const QAbstractItemModel& model, const std::vector<int>& columns)
{
    std::string text = "\n";
    printRows(model, columns, {}, 0, text);
    return text;
}

QModelIndex findRow(const QAbstractItemModel& model, const char* text)
{
    const auto found = model.match(
        model.index(0, 0), Qt::DisplayRole, QString::fromUtf8(text), 1, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? QModelIndex() : found.front();
}

} // namespace duo::test
