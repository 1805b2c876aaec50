// SPDX-License-Identifier: Apache-2.0
// SensitivityModel: the ranking of a sensitivity report, a row per group, most sensitive first.
#pragma once

#include "core/report/sensitivity_report.h"
#include "views/style/theme.h"

#include <QAbstractTableModel>

#include <memory>

namespace duo::ui {

class SensitivityModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { NameColumn, ShareColumn, AloneColumn, WithoutColumn, BytesColumn, kColumns };

    using QAbstractTableModel::QAbstractTableModel;
    void setReport(std::shared_ptr<const SensitivityReport> report); // null: no rows
    void setTheme(const Theme& theme) { m_theme = &theme; }
    [[nodiscard]] const SensitivityReport* report() const { return m_report.get(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const SensitivityReport> m_report;
    const Theme* m_theme = &lightTheme();
};

/// "32.1 dB", "identical", "not finite": of the worst output.
QString errorText(const MeasuredError& error);

} // namespace duo::ui
