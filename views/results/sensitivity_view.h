// SPDX-License-Identifier: Apache-2.0
// SensitivityView: which scopes and nodes the output error comes from, and the button that keeps them in float.
// Measuring and keeping are intents.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "views/intent/selection.h"
#include "views/results/sensitivity_model.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

#include <memory>
#include <vector>

namespace duo::ui {

struct Pane;

class SensitivityView : public QWidget
{
    Q_OBJECT

public:
    explicit SensitivityView(QWidget* parent = nullptr);

    /// Null: not measured. @param isStale the recipe was changed since
    void setReport(std::shared_ptr<const SensitivityReport> report, std::shared_ptr<const Snapshot> snapshot);
    void setStale(bool isStale);
    void setColoured(bool isOn); // trees and graph are, by sensitivity
    void setMeasurable(bool isMeasurable); // a model is open and nothing else runs

    [[nodiscard]] QTableView* table() { return m_table; }
    /// High enough for all that was measured; for a line and a button before.
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void measureRequested();
    void depthChosen(duo::SensitivityDepth depth); // what the next measurement measures alone
    /// Rules for the selected rows.
    void keepRequested(const std::vector<duo::Rule>& rules, const QString& text);
    void overlayToggled(bool isOn);
    void selected(const duo::ui::Selection& selection);

protected:
    void changeEvent(QEvent* event) override;

private:
    void connectParts();
    void describe();
    void chooseSuggestion(int index); // selects its rows
    void keep();
    void reportSelection();
    [[nodiscard]] std::vector<std::size_t> chosenRows() const;

    std::shared_ptr<const Snapshot> m_snapshot; // the report is of
    bool m_isStale = false;
    bool m_isChoosing = false;
    SensitivityModel* m_model;
    QLabel* m_summary;
    QLabel* m_legend;
    QTableView* m_table;
    QPushButton* m_measure;
    QComboBox* m_depth;
    QComboBox* m_suggestions;
    QPushButton* m_keep;
    QCheckBox* m_overlay;
};

/// How it stands in the window.
Pane sensitivityPane();

} // namespace duo::ui
