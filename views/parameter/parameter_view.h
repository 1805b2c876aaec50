// SPDX-License-Identifier: Apache-2.0
// ParameterView: what a parameter of the selection holds: its values, how they are spread, the range of every channel.
#pragma once

#include "core/analysis/tensor_summary.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "views/intent/selection.h"
#include "views/parameter/channel_model.h"
#include "views/parameter/spread_plot.h"
#include "views/parameter/tensor_model.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QWidget>

#include <memory>
#include <vector>

namespace duo::ui {

struct Pane;

class ParameterView : public QWidget
{
    Q_OBJECT

public:
    static constexpr std::size_t kMostListed = 500; // parameters of a selection

    explicit ParameterView(QWidget* parent = nullptr);

    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    void setSelection(const Selection& selection);
    /// @param summary null where the values cannot be read, for which `problem` has the reason
    void setSummary(ValueId value, std::shared_ptr<const TensorSummary> summary, const QString& problem);

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void summaryWanted(duo::ValueId value); // answered by setSummary
    void saveRequested(duo::ValueId value); // as a file

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override; // parts side by side, or one below the other

private:
    void widenColumns();
    void makeTable(QTableView* table, QAbstractItemModel* model, const QString& name, const QString& accessibleName);
    void listParameters();
    void showParameter();
    void describe();
    [[nodiscard]] ValueId current() const; // invalid: none

    std::shared_ptr<const Snapshot> m_snapshot;
    Selection m_selection;
    std::vector<ValueId> m_values; // listed
    std::size_t m_found = 0; // of the selection, listed or not
    ValueId m_shown;
    std::shared_ptr<const TensorSummary> m_summary; // of m_shown; null: not known yet
    QString m_problem;
    bool m_isOutdated = false; // while it is hidden
    QComboBox* m_names;
    QPushButton* m_save;
    QLabel* m_about;
    QSplitter* m_parts;
    SpreadPlot* m_plot;
    ChannelModel* m_channelModel;
    QTableView* m_channels;
    TensorModel* m_tensorModel;
    QTableView* m_table;
};

/// How it stands in the window.
Pane parameterPane();

} // namespace duo::ui
