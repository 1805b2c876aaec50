// SPDX-License-Identifier: Apache-2.0
// StatisticsView: what was measured of the values of a selection, and what each range estimator makes of them. Choosing
// another estimator is an intent.
#pragma once

#include "core/pipeline/sensitivity/foresight.h"
#include "views/intent/estimator_intent.h"
#include "views/intent/rule_menu.h"
#include "views/intent/selection.h"
#include "views/statistics/estimator_model.h"
#include "views/statistics/histogram_plot.h"
#include "views/statistics/value_model.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

#include <memory>

namespace duo::ui {

struct Pane;

class StatisticsView : public QWidget
{
    Q_OBJECT

public:
    explicit StatisticsView(QWidget* parent = nullptr);

    /// Null: there are no statistics.
    void setForesight(std::shared_ptr<const Foresight> foresight);
    void setSelection(const Selection& selection);
    /// What the empty pane offers can be done now.
    void setMeasurable(bool isMeasurable);

    [[nodiscard]] QSize minimumSizeHint() const override;
    /// High enough for histogram and estimators; for a text and its buttons where there are no statistics.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QTableView* values() { return m_values; }
    [[nodiscard]] QTableView* estimators() { return m_estimators; }

Q_SIGNALS:
    void estimatorIntended(const duo::ui::EstimatorIntent& intent);
    void measureRequested();
    void openRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override; // parts side by side, or one below the other

private:
    QWidget* makeEmptyPage();
    QWidget* makePage();
    void makeValues();
    void makeEstimators();
    void connectParts();
    void showRows();
    void showValue();
    void showSummary();
    void fitColumns(); // to the room there is
    void lookAt();
    void describeChoice();
    void useHere();
    void intend(EstimatorIntent::Verb verb, const RuleSubject& subject = {});
    void fillScopeMenu();
    void showMenu(const QPoint& place);
    [[nodiscard]] const ValueRow* currentValue() const;
    [[nodiscard]] std::string currentEstimator() const;
    [[nodiscard]] std::vector<SubjectChoice> subjects() const; // what a rule for this value could be about

    std::shared_ptr<const Foresight> m_foresight;
    std::optional<double> m_before; // worst output of the forecast before
    Selection m_selection;
    ValueId m_value; // looked at; kept from one forecast to the next
    bool m_isFilling = false;
    bool m_isOutdated = false; // while it is hidden
    bool m_isArranged = false; // once: then sizes are the user's

    ValueModel* m_valueModel;
    EstimatorModel* m_estimatorModel;
    QStackedWidget* m_pages;
    QLabel* m_emptyText;
    QPushButton* m_measure;
    QPushButton* m_open;
    QPushButton* m_measureAgain; // beside what keeps a forecast from being made
    QScrollArea* m_scroll;
    QSplitter* m_parts;
    QTableView* m_values;
    HistogramPlot* m_plot;
    QCheckBox* m_logarithmic;
    QCheckBox* m_zoomed;
    QLabel* m_about;
    QTableView* m_estimators;
    QToolButton* m_useHere;
    QMenu* m_scopeMenu;
    QPushButton* m_useForAll;
    QLabel* m_summary;
};

/// How it stands in the window.
Pane statisticsPane();

} // namespace duo::ui
