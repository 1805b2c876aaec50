// SPDX-License-Identifier: Apache-2.0
// setupRows: what the dialog of two setups shows, a text a row.
#pragma once

#include "views/results/setup_dialog.h"

#include <QTreeView>

#include <string>
#include <vector>

namespace duo::test {

/// "Rules (1)", then "  ignore type Gemm | – | yes" for what is below it.
inline void addSetupRows(const QAbstractItemModel& model, const QModelIndex& parent, const std::string& indent,
    std::vector<std::string>& rows)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        std::string text = indent + model.index(row, 0, parent).data().toString().toStdString();
        for (int column = 1; column < model.columnCount(parent); ++column) {
            const std::string cell = model.index(row, column, parent).data().toString().toStdString();
            text += cell.empty() ? "" : " | " + cell;
        }
        rows.push_back(text);
        addSetupRows(model, model.index(row, 0, parent), indent + "  ", rows);
    }
}

inline std::vector<std::string> setupRows(const ui::SetupDialog& dialog)
{
    std::vector<std::string> rows;
    addSetupRows(*dialog.findChild<QTreeView*>(QStringLiteral("firstSetup"))->model(), {}, {}, rows);
    return rows;
}

} // namespace duo::test
