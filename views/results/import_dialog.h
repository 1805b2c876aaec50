// SPDX-License-Identifier: Apache-2.0
// ImportDialog: where the quantizers of a state or of another tool's file stand in the open model, before anything is
// changed.
#pragma once

#include "core/pipeline/import_setup.h"

#include <QDialog>
#include <QTableView>

namespace duo::ui {

class ImportDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param file what it was read from, for people
    ImportDialog(const QString& file, const ImportedSetup& imported, QWidget* parent = nullptr);

Q_SIGNALS:
    void nodeChosen(const QString& node); // by its name; it may be none of the open model's

private:
    QTableView* m_table;
};

} // namespace duo::ui
