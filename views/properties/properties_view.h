// SPDX-License-Identifier: Apache-2.0
// PropertiesView: everything known about the selection, as text that can be selected and copied.
#pragma once

#include "core/graph/run_graph.h"
#include "core/model/value_types.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/node_runs.h"
#include "views/intent/rule_intent.h"
#include "views/intent/selection.h"
#include "views/properties/file_quantizers.h"
#include "views/properties/found_decisions.h"

#include <QTextBrowser>
#include <QTimer>

#include <memory>
#include <optional>

namespace duo::ui {

struct Pane;

class PropertiesView : public QTextBrowser
{
    Q_OBJECT

public:
    explicit PropertiesView(QWidget* parent = nullptr);
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    /// What is known of values beyond the model's file; null: nothing.
    void setTypes(std::shared_ptr<const ValueTypes> types);
    void setSelection(const Selection& selection);
    /// The last export, which says how nodes run in the engine; null where there is none of these rules.
    void setRuns(std::shared_ptr<const RunsOfNodes> runs);
    void setRun(std::shared_ptr<const RunGraph> run); // what the engine runs of the model; null: not known

Q_SIGNALS:
    void selected(const duo::ui::Selection& selection); // a link was followed
    void ruleRequested(int row); // a link to a rule was
    void rulesIntended(const duo::ui::RuleIntent& intent);

protected:
    QMimeData* createMimeDataFromSelection() const override;
    void changeEvent(QEvent* event) override;

private:
    void follow(const QUrl& link);
    void refreshSoon();
    void refresh();
    void askProducer();

    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<const ValueTypes> m_types;
    Selection m_selection;
    std::shared_ptr<const RunsOfNodes> m_runs;
    std::shared_ptr<const RunGraph> m_run;
    std::optional<Note> m_producer; // of the snapshot's model, once it was asked for
    std::optional<FileQuantizers> m_inFile; // likewise
    FoundDecisions m_decisions;
    QTimer m_askingProducer;
    QTimer m_refreshing;
    bool m_isOther = false; // what is selected, since it was last written
};

/// How it stands in the window.
Pane propertiesPane();

} // namespace duo::ui
