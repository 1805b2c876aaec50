// SPDX-License-Identifier: Apache-2.0
// ScopeTreeModel: one scope tree of a snapshot, as far as its filter shows it, as an item model; the same class serves
// both trees.
#pragma once

#include "views/intent/found_marks.h"
#include "views/intent/shown_marks.h"
#include "views/intent/shown_overlay.h"
#include "views/style/theme.h"
#include "views/trees/scope_filter.h"
#include "views/trees/scope_row_text.h"
#include "views/trees/shown_rows.h"
#include "views/trees/tree_content.h"

#include <QAbstractItemModel>

#include <memory>
#include <optional>

namespace duo::ui {

class ScopeTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column {
        NameColumn,
        DiffersColumn,
        StateColumn,
        NodesColumn,
        ParametersColumn,
        BytesColumn,
        OverlayColumn, // empty without an overlay
        ColumnCount
    };
    enum Role {
        QuietRole = Qt::UserRole, // what stands after the name, quietly: its class
        PreviewRole, // Preview, as int
        FoundRole, // Preview, as int: found by a search, or holding what was found
        MarkRole, // MarkSign, as int; invalid where no sign is shown
    };

    enum class Preview : std::uint8_t { None, Some, All }; // of the nodes at and below

    static constexpr std::size_t kMostAnnounced = 32;

    explicit ScopeTreeModel(TreeKind kind, QObject* parent = nullptr);

    /// Null empties the model. The same scopes as before: rows whose state changed are announced, below each parent
    /// once. Where that were more than kMostAnnounced times the root is announced for all: views paint again what is in
    /// sight, which costs less than to look for each row.
    /// @param made what there is of it, where it is made elsewhere meanwhile; invalid: it is made here
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot, std::optional<TreeContent> made = {});
    /// What is wanted of the rows; those shown stay as they are until showWanted().
    [[nodiscard]] ScopeFilter& filter() { return m_filter; }
    [[nodiscard]] const ScopeFilter& filter() const { return m_filter; }
    /// All changes in one: nothing where none was begun. O(rows + indexes that are kept).
    void showWanted();
    [[nodiscard]] const ShownRows& shown() const { return m_shown; }
    void setTheme(const Theme& theme);
    /// Marks nodes, and the scopes above them, as what a rule would catch. O(nodes + rows).
    void setPreview(const std::vector<NodeId>& nodes);
    /// Marks what a search has found, of the scopes shown, and fainter what holds it; null: none. O(things + rows).
    void setFound(const FoundMarks* marks);
    /// The row of a thing that was found; invalid where none is shown.
    [[nodiscard]] QModelIndex indexOfThing(const FoundThing& thing) const;
    /// Fills the column of the overlay; null: it is empty. O(rows) where it was or becomes full.
    void setOverlay(std::shared_ptr<const ShownOverlay> overlay);
    /// Shows signs of marks before scopes, and boxes to mark while somebody marks; null: none. O(rows) where any
    /// change.
    void setMarks(std::shared_ptr<const ShownMarks> marks);
    /// The module that a row stands for, of ShownMarks::modules; ModuleTree::kNone for other rows, and without marks.
    [[nodiscard]] std::uint32_t moduleAt(std::size_t row) const;
    [[nodiscard]] bool hasOverlay() const; // with a column, of the scopes shown
    [[nodiscard]] QStringList widestOverlayTexts() const; // among them; empty without one

    [[nodiscard]] TreeKind kind() const { return m_content.kind; }
    [[nodiscard]] const TreeContent& content() const { return m_content; }
    // Rows are told by their index in TreeContent::rows.
    [[nodiscard]] static std::size_t rowOf(const QModelIndex& index); // of a valid one
    [[nodiscard]] QModelIndex indexOfRow(std::size_t row, int column = 0) const; // invalid where it is not shown
    [[nodiscard]] QString textAt(std::size_t row, int column) const; // of a cell
    [[nodiscard]] Selection selectionAt(const QModelIndex& index) const; // TreeContent::selectionOf()
    [[nodiscard]] QModelIndexList indexesOf(const Selection& selection) const; // TreeContent::rowsOf() that are shown
    /// Rows are dragged as what rules about them would be about.
    [[nodiscard]] QMimeData* mimeData(const QModelIndexList& indexes) const override;
    [[nodiscard]] QStringList mimeTypes() const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDragActions() const override { return Qt::CopyAction; }

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] QModelIndex sibling(int row, int column, const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] bool hasChildren(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] const ScopeRow& rowAt(const QModelIndex& index) const { return m_content.rows[rowOf(index)]; }
    [[nodiscard]] std::optional<std::size_t> rowOfThing(const FoundThing& thing) const;
    void announceAll();
    [[nodiscard]] QString accessibleText(const ScopeRow& row) const;
    [[nodiscard]] QVariant inkOf(const ScopeRow& row, int column) const;
    [[nodiscard]] QVariant fontOf(const ScopeRow& row, int column) const;
    [[nodiscard]] Preview previewAt(std::size_t row) const;
    [[nodiscard]] Preview foundAt(std::size_t row) const;
    [[nodiscard]] QVariant fillAt(std::size_t row) const;
    [[nodiscard]] const MarkedModules* marks() const; // of the scopes shown; null: none
    [[nodiscard]] std::uint32_t moduleOf(const ScopeRow& row) const;
    [[nodiscard]] MarkSign signOf(const ScopeRow& row) const;
    [[nodiscard]] QVariant shownSign(const ScopeRow& row) const;
    [[nodiscard]] std::optional<double> overlayAt(std::size_t row) const;
    [[nodiscard]] QVariant overlayColorAt(std::size_t row) const;
    [[nodiscard]] QString overlayTextAt(std::size_t row) const;
    [[nodiscard]] QString toolTipAt(std::size_t row) const;
    void announceChanges(const std::vector<StateCounts>& before, const Snapshot& old);
    template <typename IsChanged> void announce(IsChanged isChanged);

    const Theme* m_theme;
    TreeContent m_content;
    ScopeFilter m_filter;
    ShownRows m_shown; // of m_content
    std::vector<Preview> m_preview; // [rows], empty: none
    std::vector<Preview> m_found; // [rows], empty: none; Some: something below
    std::shared_ptr<const ShownOverlay> m_overlay; // null: none
    std::shared_ptr<const ShownMarks> m_marks; // null: none
};

} // namespace duo::ui
