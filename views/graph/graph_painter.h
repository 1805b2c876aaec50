// SPDX-License-Identifier: Apache-2.0
// GraphPainter: draws a picture in four layers, with as much detail as the zoom allows.
#pragma once

#include "views/graph/edge_types.h"
#include "views/graph/found_boxes.h"
#include "views/graph/kernel_runs.h"
#include "views/graph/picture.h"
#include "views/intent/shown_overlay.h"
#include "views/style/theme.h"

#include <QFont>
#include <QPainter>
#include <QPolygonF>
#include <QString>

#include <optional>

namespace duo::ui {

class GraphPainter
{
public:
    enum class Layer { Frames, Edges, Boxes, Marks };

    void setPicture(std::shared_ptr<const Picture> picture, const QFont& font);
    void setTheme(const Theme& theme) { m_theme = &theme; }
    /// Badges on the boxes of the picture; also after every new picture.
    void setRuns(std::vector<RunBadge> badges) { m_runs = std::move(badges); }
    /// What boxes are coloured by; null: their states. @param values [boxes], also after every new picture
    void setOverlay(std::shared_ptr<const ShownOverlay> overlay, std::vector<std::optional<double>> values);
    /// Texts beside the edges; also after every new picture.
    void setEdgeTypes(EdgeTypes types) { m_types = std::move(types); }
    void setMarked(std::vector<int> boxes) { m_marked = std::move(boxes); }
    void setPreviewed(std::vector<int> boxes) { m_previewed = std::move(boxes); }
    void setFound(FoundBoxes found) { m_found = std::move(found); } // also after every new picture
    void setHovered(int box) { m_hovered = box; }
    void setCurrent(int box) { m_current = box; }

    /// Draws what of a layer meets `exposed` (scene px). `zoom`: screen px per scene px.
    void paint(QPainter& painter, Layer layer, const QRectF& exposed, double zoom) const;

private:
    struct Label {
        QString title;
        QString subtitle;
        QString badge;
    };
    struct Line {
        QPolygonF points;
        QRectF bounds;
        QPointF badgeAt;
        QString badge;
    };

    [[nodiscard]] QSizeF badgeSize(const QString& text) const;
    [[nodiscard]] QRectF titleBar(std::size_t box) const;
    [[nodiscard]] std::vector<QRectF> titlesAround(const ViewEdge& edge) const;
    void paintFrames(QPainter& painter, const QRectF& exposed, double zoom) const;
    void paintEdges(QPainter& painter, const QRectF& exposed, double zoom) const;
    void paintBadge(QPainter& painter, const QPointF& center, const QString& text) const;
    void paintBoxes(QPainter& painter, const QRectF& exposed, double zoom) const;
    void paintText(QPainter& painter, const QRectF& rect, std::size_t box, const Shade& shade) const;
    void paintShare(QPainter& painter, const QRectF& rect, const ViewBox& box) const;
    void paintRuns(QPainter& painter, const QRectF& exposed, double zoom) const;
    void paintRun(QPainter& painter, const QRectF& rect, const RunBadge& badge, double zoom) const;
    void paintPreview(QPainter& painter, const QRectF& exposed, double zoom) const;
    void paintMarks(QPainter& painter, const QRectF& exposed, double zoom) const;
    [[nodiscard]] const Shade& shadeOf(std::size_t box) const;

    std::shared_ptr<const Picture> m_picture;
    const Theme* m_theme = &lightTheme();
    std::vector<Label> m_labels; // [boxes]
    std::vector<Line> m_lines; // [edges]
    EdgeTypes m_types;
    std::vector<RunBadge> m_runs; // [boxes], or none
    std::shared_ptr<const ShownOverlay> m_overlay; // null: none
    std::vector<std::optional<double>> m_values; // [boxes] of the overlay
    std::vector<int> m_marked;
    std::vector<int> m_previewed;
    FoundBoxes m_found;
    int m_hovered = Picture::kNoBox;
    int m_current = Picture::kNoBox;
    QFont m_font;
    QFont m_small;
};

} // namespace duo::ui
