// SPDX-License-Identifier: Apache-2.0
// Board: all that panes are shown and all that they ask for. Panes meet only here; the window stands behind it.
#pragma once

#include "core/analysis/tensor_summary.h"
#include "core/graph/run_graph.h"
#include "core/model/value_types.h"
#include "core/pipeline/sensitivity/foresight.h"
#include "core/pipeline/sensitivity/measure_sensitivity.h"
#include "core/pipeline/sensitivity/setting_effects.h"
#include "core/pipeline/session_file.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/report/node_runs.h"
#include "core/transform/pass_report.h"
#include "views/intent/estimator_intent.h"
#include "views/intent/found_marks.h"
#include "views/intent/mark_intent.h"
#include "views/intent/rule_intent.h"
#include "views/intent/selection.h"
#include "views/intent/shown_marks.h"
#include "views/intent/shown_overlay.h"

#include <QObject>

#include <memory>
#include <vector>

namespace duo::ui {

class Board : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

Q_SIGNALS:
    // What is shown. A pointer is null where there is none.
    void snapshotShown(const std::shared_ptr<const duo::Snapshot>& snapshot);
    void typesShown(const std::shared_ptr<const duo::ValueTypes>& types); // of the values of the snapshot's model
    void recipeShown(const duo::Recipe& recipe); // wanted; the snapshot's may lag behind
    void selectionShown(const duo::ui::Selection& selection);
    void readyShown(bool isReady); // a model is open and nothing runs
    void foresightShown(const std::shared_ptr<const duo::Foresight>& foresight);
    /// @param compression not exported yet; @param isStale the recipe was changed since
    void quantizedShown(const std::shared_ptr<const duo::Compression>& compression, bool isStale);
    /// @param results of earlier runs; @param now what one made now would be of
    void earlierShown(const std::vector<duo::EarlierResult>& results, const duo::ResultOrigin& now);
    /// @param of what was exported; @param isStale the recipe was changed since
    void reportShown(const std::shared_ptr<const duo::ExportReport>& report,
        const std::shared_ptr<const duo::Snapshot>& of, bool isStale);
    /// How the nodes of the snapshot ran in the last export under the present recipe, of now or earlier.
    void nodeRunsShown(const std::shared_ptr<const duo::RunsOfNodes>& runs);
    void sensitivityShown(
        const std::shared_ptr<const duo::SensitivityReport>& report, const std::shared_ptr<const duo::Snapshot>& of);
    void sensitivityStaleShown(bool isStale);
    void runShown(const std::shared_ptr<const duo::RunGraph>& run); // of the snapshot, whether it is drawn or not
    void overlayShown(const std::shared_ptr<const duo::ui::ShownOverlay>& overlay);
    void marksShown(const std::shared_ptr<const duo::ui::ShownMarks>& marks);
    void foundShown(const std::shared_ptr<const duo::ui::FoundMarks>& marks); // of a search under way
    /// What other values of a setting would change, under the recipe wanted.
    void settingEffectsShown(const duo::Setting* setting, const std::vector<duo::SettingEffect>& effects);
    /// How the values of a parameter are spread. @param summary null: `problem` says why it is not known
    void parameterShown(
        duo::ValueId value, const std::shared_ptr<const duo::TensorSummary>& summary, const QString& problem);
    /// What pass "half" does with the data; null: not known of what is shown.
    void halvesShown(const std::shared_ptr<const duo::PassReport>& report);
    void transformsForeseen(const std::shared_ptr<const duo::TransformReport>& report); // those wanted last

    // What is asked for.
    void selected(const duo::ui::Selection& selection);
    void previewed(const std::vector<duo::NodeId>& nodes); // what a rule would catch; goes from pane to pane
    void rulesIntended(const duo::ui::RuleIntent& intent);
    void marksIntended(const duo::ui::MarkIntent& intent);
    void estimatorIntended(const duo::ui::EstimatorIntent& intent);
    void rulesEdited(const duo::RuleSet& rules, const QString& text, const QString& mergeKey); // Session::editRules
    void recipeEdited(const duo::Recipe& recipe, const QString& text, const QString& mergeKey);
    void rulesAdded(const std::vector<duo::Rule>& rules, const QString& text);
    void ruleRequested(int row); // to see it in the rules
    void measureRequested();
    void statisticsRequested(); // of a file
    void sensitivityRequested();
    void settingEffectsWanted(bool areWanted);
    void parameterWanted(duo::ValueId value); // to see how its values are spread
    void parameterSaveRequested(duo::ValueId value); // as a file
    void transformsWanted(const duo::TransformOptions& options); // to see what they would do
    void depthChosen(duo::SensitivityDepth depth); // of the next measurement of sensitivity
    void overlayChosen(duo::OverlayKind kind); // to colour by
    void overlayMeasureRequested(duo::OverlayKind kind); // what it takes
    void filterRequested(); // of the scopes
    void counterpartRequested(bool isForward); // of the row used last
    void paneRequested(const QString& name); // to the front
    void focusRequested(); // of where one begins
    void said(const QString& text); // in the status bar, for a while
};

} // namespace duo::ui
