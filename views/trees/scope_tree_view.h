// SPDX-License-Identifier: Apache-2.0
// ScopeTreeView: one scope tree with its filter; says what the user selects and asks for menus.
#pragma once

#include "views/trees/link_painter.h"
#include "views/trees/scope_tree_model.h"

#include <QTreeView>

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace duo::ui {

class ScopeTreeView : public QTreeView
{
    Q_OBJECT

public:
    /// What is open in it, and what is on top.
    struct Sight {
        std::set<std::string> open; // paths
        int scrolled = 0; // rows
        bool operator==(const Sight&) const = default;
    };

    static constexpr std::size_t kMostOpen = 1000;

    explicit ScopeTreeView(TreeKind kind, QWidget* parent = nullptr);

    void setTypes(const std::shared_ptr<const ValueTypes>& types); // for a filter by shapes
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot, std::optional<TreeContent> made = {}); // ScopeTreeModel
    /// Shows a selection made elsewhere without reporting it.
    void showSelection(const Selection& selection);
    void keepSelection(const Selection& selection); // likewise, with rows that a filter hides, and going nowhere
    /// Without words and for all rows it is taken away: rows are open as they were before it, and the current one stays
    /// where it is. In steps, with other events between: looks at the next rows until lookOn() says true, and what is
    /// shown stays until the end, which looks at what is left. @return what is wrong with the words, or ""
    QString beginFilter(const QString& words, bool onlyDifferences);
    bool lookOn(std::size_t rows) { return m_model->filter().look(content(), rows); }
    void endFilter();
    void endFilterStep(); // as much of it as is done in one event
    [[nodiscard]] bool isFilterChanging() const { return m_ending || m_model->filter().isChanging(); } // or decisions
    void setWithConstants(bool with); // shows tensors that are no parameters too
    void setPreview(const std::vector<NodeId>& nodes); // marked as what a rule would catch
    /// Marks what a search has found, and brings what it stands at into sight without opening anything; null: none.
    void setFound(const FoundMarks* marks);
    void setOverlay(std::shared_ptr<const ShownOverlay> overlay); // a column of it; null: none
    /// Signs of marks before scopes; while somebody marks, a click on one or Space asks for it to be changed.
    void setMarks(const std::shared_ptr<const ShownMarks>& marks);
    [[nodiscard]] Selection currentSelection() const;
    void selectAll() override;
    /// Without the filter; of more than kMostOpen open scopes the outermost. O(children of those).
    [[nodiscard]] Sight sight() const;
    /// Paths that there are not are passed over.
    void goToSight(const Sight& sight);
    void reopen(const std::set<std::string>& paths); // besides those that are open

    // Rows by their index in TreeContent::rows.
    [[nodiscard]] const TreeContent& content() const { return m_model->content(); }
    [[nodiscard]] std::uint32_t moduleAt(std::size_t row) const { return m_model->moduleAt(row); }
    [[nodiscard]] std::optional<std::size_t> currentRow() const;
    [[nodiscard]] Selection selectionOf(std::size_t row) const;
    /// The rows that stand for a selection, from top to bottom.
    [[nodiscard]] std::vector<std::size_t> rowsOf(const Selection& selection) const;
    [[nodiscard]] bool isShown(std::size_t row) const { return m_model->shown().has(row); } // passes the filter
    /// Makes a row the current one, as if the user had clicked it: opens its parents, selects it, takes the focus.
    void goTo(std::size_t row);
    /// The rows in sight from top to bottom; heights as `relativeTo` has them. O(rows in sight).
    [[nodiscard]] std::vector<GutterRow> rowsInSight(const QWidget& relativeTo) const;

Q_SIGNALS:
    void sightChanged(); // other rows, or elsewhere
    void selected(const duo::ui::Selection& selection);
    void menuRequested(const duo::ui::Selection& selection, const QPoint& globalPos);
    void moduleClicked(std::uint32_t module); // of ShownMarks: to be marked, or no more
    void stateClicked(const duo::ui::Selection& selection); // on the mark of a state, of the row alone

protected:
    void changeEvent(QEvent* event) override;
    void dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void setSelection(const QRect& rect, QItemSelectionModel::SelectionFlags command) override;
    void startDrag(Qt::DropActions actions) override;

private:
    [[nodiscard]] std::vector<std::size_t> expandedRows() const; // ascending; also those in closed ones. O(rows)
    [[nodiscard]] std::set<std::string> pathsOf(std::span<const std::size_t> rows) const; // of scopes
    [[nodiscard]] std::vector<std::size_t> rowsAt(const std::set<std::string>& paths) const; // ascending
    void expandRows(std::span<const std::size_t> rows); // besides those that are open, and telling nobody
    void showOverlayColumn();
    void sizeColumns(); // as the model's numbers need them
    void fitColumns();
    [[nodiscard]] QModelIndex stateMarkAt(const QPoint& position) const; // invalid: no mark there
    [[nodiscard]] QModelIndex markSignAt(const QPoint& position) const; // invalid: no sign there, or nobody marks
    [[nodiscard]] std::uint32_t moduleOf(const QModelIndex& shown) const;
    enum class Wording { Whole, Words, Short }; // of states: with what is ignored, "quantized", counts and marks only
    [[nodiscard]] int widthFor(int column, Wording wording = Wording::Whole) const;
    [[nodiscard]] QModelIndexList indexesInSight() const; // from top to bottom. O(them)
    [[nodiscard]] std::vector<std::size_t> selectedRows() const; // also those untold
    [[nodiscard]] std::vector<std::size_t> topmostSelectedRows() const; // ascending. O(rows)
    void selectRows(std::vector<std::size_t> rows); // those out of sight later, where there are many
    void tellRows(const std::vector<std::size_t>& rows);
    void selectFiltered();
    void selectAsUser(std::vector<std::size_t> rows);
    [[nodiscard]] QModelIndex firstShown(const std::vector<std::size_t>& rows) const; // invalid: none is
    void forgetSelection();
    [[nodiscard]] bool isChosen(const QModelIndex& index) const; // selected, or in what is
    void selectBetween(std::size_t first, std::size_t last); // rows, as if the user had
    void reportSelection();
    static constexpr int kFirstRows = 32; // shown at first: they fit on a screen
    void expandFirstLevels(int most); // rows
    [[nodiscard]] bool opensMany(const QModelIndex& index) const;
    void openMany(const QModelIndex& index);
    [[nodiscard]] QModelIndex branchAt(const QPoint& position) const; // whose sign it is that opens it
    void openBelow(QKeyEvent& event);
    void closeAll(); // telling nobody
    void noteSight(); // other rows may be in sight now
    [[nodiscard]] bool isClearing() const { return m_ending && m_ending->wasFiltered && !m_isFiltered; }
    void beginEnding();
    void finishEnding();
    void showWantedRows();
    bool openMoreAgain();

    ScopeTreeModel* m_model;
    bool m_isFilterBegun = false; // by what it asks for, and not ended
    bool m_isFiltered = false; // what is shown
    bool m_isWidthChosen = false; // by the user
    bool m_isFitting = false;
    struct Unfiltered {
        std::vector<std::size_t> open; // rows, ascending
        int scrolled = 0;
    };
    std::optional<Unfiltered> m_unfiltered; // before the filter, of the model shown
    /// How far the end of a filter has come.
    struct Ending {
        bool isBegun = false; // m_isFilterBegun before
        bool wasFiltered = false;
        int top = 0; // where the current row was, px of the viewport
        bool areRowsShown = false; // those that are wanted
        std::size_t opened = 0; // of m_unfiltered->open
    };
    std::optional<Ending> m_ending;
    QPersistentModelIndex m_pressedMark; // of a state, under the button that is held down
    QPersistentModelIndex m_pressedSign; // of a mark, likewise
    bool m_isMarking = false;
    std::vector<std::size_t> m_untold; // rows selected of which Qt is not told: filtered out, or out of sight of many
    std::optional<std::vector<std::size_t>> m_beforeRange; // rows selected, while the user selects a range
    bool m_isRangeOfMany = false; // that Qt does not know
    bool m_isShowing = false; // a selection made elsewhere is being shown
};

} // namespace duo::ui
