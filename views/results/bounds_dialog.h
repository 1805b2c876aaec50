// SPDX-License-Identifier: Apache-2.0
// BoundsDialog: what an export has to reach, and what decides of it: output error, agreement, labels, a metric.
#pragma once

#include "core/pipeline/export_demands.h"

#include <QCheckBox>
#include <QDialog>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>

namespace duo::ui {

class BoundsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit BoundsDialog(const ExportDemands& current, QWidget* parent = nullptr);
    [[nodiscard]] ExportDemands demands() const;

private:
    QFormLayout* makeForm();
    void update();

    QCheckBox* m_hasSqnr;
    QDoubleSpinBox* m_sqnr; // dB
    QCheckBox* m_hasAgreement;
    QDoubleSpinBox* m_agreement; // percent
    QLineEdit* m_labels;
    QLineEdit* m_metric;
    QDoubleSpinBox* m_drop; // percent
    QPushButton* m_ok = nullptr;
};

} // namespace duo::ui
