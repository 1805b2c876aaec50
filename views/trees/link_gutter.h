// SPDX-License-Identifier: Apache-2.0
// LinkGutter: the strip between the two trees that draws their links; dragging it gives a tree more room.
#pragma once

#include "views/trees/link_painter.h"

#include <QSplitter>
#include <QSplitterHandle>

#include <functional>

namespace duo::ui {

class LinkGutter : public QSplitterHandle
{
    Q_OBJECT

public:
    /// What stands beside the gutter now, asked for whenever it is painted.
    struct Sight {
        QRect area; // of the rows, in the gutter's coordinates
        std::vector<GutterRow> execution;
        std::vector<GutterRow> storage;
    };

    explicit LinkGutter(QSplitter* parent);

    /// Both contents outlive the gutter; they may change, then setLinks is called again.
    void setContents(const TreeContent* execution, const TreeContent* storage, std::function<Sight()> look);
    /// Rows were added, removed or filtered. The links are found when they are painted next: O(n log n).
    void setLinks(const IsShown& isShown);
    void setSelection(const std::vector<NodeId>& nodes);
    [[nodiscard]] const LinkScene& scene() const { return m_scene; } // as last painted
    [[nodiscard]] QString textAt(QPoint position) const;
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void selected(const duo::ui::Selection& selection);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void findLinks();
    void paintHeader(QPainter& painter) const;
    void hover(std::optional<std::size_t> link);

    const TreeContent* m_execution = nullptr;
    const TreeContent* m_storage = nullptr;
    std::function<Sight()> m_look;
    IsShown m_isShown;
    bool m_isStale = false; // m_sets
    LinkSets m_sets;
    std::vector<NodeId> m_selection;
    LinkScene m_scene;
    QPoint m_pressed;
};

/// A splitter of two whose handle is the gutter.
class LinkSplitter : public QSplitter
{
    Q_OBJECT

public:
    explicit LinkSplitter(QWidget* parent = nullptr);
    [[nodiscard]] LinkGutter* gutter() const; // null before the second widget

protected:
    QSplitterHandle* createHandle() override;
};

} // namespace duo::ui
