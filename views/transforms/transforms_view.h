// SPDX-License-Identifier: Apache-2.0
// TransformsView: the passes that simplify the model before quantizers are placed, each with a switch, what it did or
// would do here, and what stays as it is. The recipe holds all of it; a look ahead is an intent.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "views/intent/selection.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QWidget>

#include <memory>

namespace duo {
struct Pass;
}

namespace duo::ui {

struct Pane;

class TransformsView : public QWidget
{
    Q_OBJECT

public:
    explicit TransformsView(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void setRecipe(const Recipe& recipe); // wanted; the snapshot's may lag behind
    void setSelection(const Selection& selection);
    /// What the transforms asked for last would do to the model as it was opened.
    void setPreview(const std::shared_ptr<const TransformReport>& report);
    void setHalves(
        const std::shared_ptr<const PassReport>& report); // of pass "half", which needs data; null: not known
    /// High enough for all passes; for the switches before a model is open.
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void recipeEdited(const duo::Recipe& recipe, const QString& text);
    void previewRequested(const duo::TransformOptions& options);
    void selected(const duo::ui::Selection& selection); // what is left of the nodes of a pass
    void told(const QString& text); // why that is nothing

private:
    enum Column { PassColumn, NodesColumn, StageColumn, DoesColumn };
    static void makeRow(const Pass& pass, QTreeWidget& list);
    void connectParts();
    void refresh();
    void showPasses();
    void showKept();
    void describe();
    static void fill(QTreeWidgetItem& item, const PassReport* pass);
    void edit(const TransformOptions& options, const QString& text);
    void keepSelection();
    void keepNothing();
    void selectNodes();
    [[nodiscard]] TransformOptions options() const; // as switches stand
    [[nodiscard]] const TransformReport* report() const; // of these options; null: not known
    [[nodiscard]] const PassReport* reportOf(std::string_view id) const; // likewise

    std::shared_ptr<const Snapshot> m_snapshot;
    std::shared_ptr<const TransformReport> m_preview;
    std::shared_ptr<const PassReport> m_halves;
    TransformOptions m_previewOf;
    Recipe m_recipe;
    TransformOptions m_idle; // what would be wanted, while nothing is
    Selection m_selection;
    bool m_isShowing = false;
    QCheckBox* m_isOn;
    QCheckBox* m_staticShapes;
    QCheckBox* m_lowPrecision;
    QComboBox* m_target;
    QLabel* m_summary;
    QTreeWidget* m_passes;
    QLabel* m_kept;
    QPushButton* m_keep;
    QPushButton* m_keepNothing;
    QPushButton* m_look;
};

/// How it stands in the window.
Pane transformsPane();

} // namespace duo::ui
