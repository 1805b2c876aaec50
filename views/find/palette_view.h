// SPDX-License-Identifier: Apache-2.0
// PaletteView: one line to type what one wants: a command runs, everything else is gone to.
#pragma once

#include "views/find/palette_model.h"

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QTreeView>

#include <vector>

namespace duo::ui {

/// Stands over its parent, in the middle of its upper part, as long as it has the focus.
class PaletteView : public QFrame
{
    Q_OBJECT

public:
    explicit PaletteView(QWidget* parent);

    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void setRules(const RuleSet& rules);
    /// Shows it with nothing typed and takes the focus, which goes back where it was when it closes.
    void open(const std::vector<PaletteCommand>& commands);

Q_SIGNALS:
    void selected(const duo::ui::Selection& selection); // to be gone to
    void ruleRequested(int row);
    void refused(const QString& text); // a command that cannot be run now, and that it cannot

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // keys of the line, size of the parent

private:
    void find();
    void accept();
    void close(bool givesFocusBack);
    void place();
    bool handleKey(int key);

    PaletteModel* m_model;
    QLineEdit* m_line;
    QTreeView* m_list;
    QLabel* m_legend;
    QPointer<QWidget> m_before; // had the focus
};

} // namespace duo::ui
