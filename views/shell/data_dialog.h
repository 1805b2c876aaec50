// SPDX-License-Identifier: Apache-2.0
// DataDialog: which samples to calibrate with: files found beside the model, a file, a folder, or random data.
#pragma once

#include <QButtonGroup>
#include <QDialog>
#include <QLineEdit>
#include <QSpinBox>
#include <QStringList>

namespace duo::ui {

class DataDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param found paths to offer, likeliest first; @param current the data in use, as --data has it
    DataDialog(const QStringList& found, const QString& current, QWidget* parent = nullptr);
    /// As --data has it; empty if nothing is chosen.
    [[nodiscard]] QString spec() const;

private:
    void browse(bool folder);
    void updateOk();

    QStringList m_found;
    QButtonGroup* m_choices; // ids: index into m_found, then kOther, kRandom
    QLineEdit* m_other;
    QSpinBox* m_samples;
    QPushButton* m_ok = nullptr;
};

} // namespace duo::ui
