// SPDX-License-Identifier: Apache-2.0
// FindBar: looks for nodes and scopes while one types, and goes from one to the next.
#pragma once

#include "views/find/finder.h"
#include "views/intent/found_marks.h"

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QToolButton>

#include <memory>
#include <optional>

namespace duo::ui {

/// Hidden until it is opened. Typing marks what is found and goes to the first of it; the selection stays until one
/// steps on or presses Enter.
class FindBar : public QFrame
{
    Q_OBJECT

public:
    explicit FindBar(QWidget* parent = nullptr);

    /// Another model ends the search; other rules or scopes of the same one begin it anew.
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot);
    /// Of the values of the model; a search for shapes begins anew.
    void setTypes(std::shared_ptr<const ValueTypes> types);
    void open(); // and takes the focus
    void end(); // nothing is marked; the focus goes back
    /// To the next or the previous thing, round the end, and selects it; opens the bar where nothing is looked for.
    void step(bool isForward);
    [[nodiscard]] QString summary() const { return m_summary->text(); } // "3 of 120"

Q_SIGNALS:
    void shown(const std::shared_ptr<const duo::ui::FoundMarks>& marks); // null: nothing is marked
    void selected(const duo::ui::Selection& selection);
    void revealRequested(); // what was selected, inside closed boxes too
    void goneRequested(); // what one stands at, in the graph of the file

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QToolButton* addButton(const char* name, const QString& text, const QString& tip);
    void search();
    void take(const std::shared_ptr<const Found>& found);
    void show();
    void choose(); // the current thing
    [[nodiscard]] std::size_t count() const; // of what was found, what went from the model too
    [[nodiscard]] const Node* gone() const; // one stands at; null: at a thing of the model
    void chooseAll();
    void describe();
    void say(const QString& text, bool isWarning);
    void complain(const QString& problem);

    std::shared_ptr<const Snapshot> m_snapshot;
    Finder m_finder;
    bool m_asksForShapes = false; // what is looked for
    std::shared_ptr<const Found> m_found; // null: nothing is looked for, or not yet done
    std::size_t m_current = 0;
    std::optional<FoundThing> m_wanted; // to stand at where it is found again
    QPointer<QWidget> m_before; // had the focus
    bool m_isWarning = false;
    QLineEdit* m_text;
    QToolButton* m_pattern;
    QLabel* m_summary;
    QLabel* m_problem;
    QToolButton* m_previous = nullptr;
    QToolButton* m_next = nullptr;
    QToolButton* m_all = nullptr;
};

} // namespace duo::ui
