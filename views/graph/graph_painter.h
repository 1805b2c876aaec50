// SPDX-License-Identifier: Apache-2.0
// GraphPainter: draws a picture in four layers, with as much detail as the zoom allows.
#pragma once

#include "views/graph/detail.h"
#include "views/graph/edge_types.h"
#include "views/graph/found_boxes.h"
#include "views/graph/label_painter.h"
#include "views/graph/line_places.h"
#include "views/graph/picture.h"
#include "views/graph/run_badges.h"
#include "views/graph/taken_places.h"
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
    void setOverlay(std::shared_ptr<const ShownOverlay> overlay, std::vector<std::optional<double>> values,
        std::vector<bool> areMixed);
    struct Badge {
        std::size_t edge = 0;
        QRectF rect; // px of the scene
        QString text; // as much as has room
        double scale = 1; // of the box that reads
    };
    /// Of edges, where they are drawn at a zoom: on no title, no box and no other badge; none where nothing is free.
    /// The last ones are kept.
    [[nodiscard]] const std::vector<Badge>& badges(double zoom) const;
    /// px of the scene that the picture takes with all that is written beside its boxes and lines. Needs a picture.
    /// O(boxes + edges).
    [[nodiscard]] QRectF bounds(double zoom) const;
    /// Texts beside the edges; also after every new picture.
    void setEdgeTypes(EdgeTypes types) { m_types = std::move(types); }
    void setMarked(std::vector<int> boxes) { m_marked = std::move(boxes); }
    void setPreviewed(std::vector<int> boxes) { m_previewed = std::move(boxes); }
    void setFound(FoundBoxes found) { m_found = std::move(found); } // also after every new picture
    void setHovered(int box) { m_hovered = box; }
    void setCurrent(int box) { m_current = box; }

    /// Boxes on their way: where each comes from (scene px), and how much of the way is done, 0..1. None: all stand.
    void setStart(std::vector<QRectF> frames) { m_start = std::move(frames); }
    void setProgress(double progress) { m_progress = progress; }
    /// What of the picture is drawn at a zoom. The last one is kept.
    [[nodiscard]] const Detail& detail(double zoom) const;
    /// Draws what of a layer meets `exposed` (scene px). `zoom`: screen px per scene px.
    void paint(QPainter& painter, Layer layer, const QRectF& exposed, double zoom) const;

private:
    struct Line {
        QPolygonF points;
        QRectF bounds;
    };

    [[nodiscard]] QRectF frame(int box) const; // where it is drawn
    [[nodiscard]] QPolygonF shownLine(std::size_t edge, const Detail& detail) const;
    [[nodiscard]] BoxPlace place(int box, double zoom) const;
    [[nodiscard]] QFont badgeFont(double zoom) const;
    [[nodiscard]] QSizeF badgeSize(const QString& text, double zoom, double scale) const;
    void findTitleRooms();
    void findInsideTitles();
    [[nodiscard]] BoxPlace bar(std::size_t box, const QRectF& frame, double zoom) const;
    [[nodiscard]] TakenPlaces titles(double zoom) const;
    [[nodiscard]] TakenPlaces closedBoxes(double zoom) const;
    [[nodiscard]] std::optional<Badge> placedBadge(
        std::size_t edge, const TakenPlaces& taken, const TakenPlaces& boxes, double zoom) const;
    void paintFrames(QPainter& painter, const QRectF& exposed, double zoom) const;
    void paintEdges(QPainter& painter, const QRectF& exposed, double zoom) const;
    void paintBadge(QPainter& painter, const Badge& badge, double zoom) const;
    void paintHatch(QPainter& painter, const QRectF& rect, double corner, double zoom) const;
    void paintBoxes(QPainter& painter, const QRectF& exposed, double zoom) const;
    [[nodiscard]] QRectF shareBar(const QRectF& rect, const ViewBox& box, double zoom) const;
    void paintShare(QPainter& painter, QRectF bar, const ViewBox& box) const;
    void paintRuns(QPainter& painter, const QRectF& exposed, double zoom) const;
    [[nodiscard]] QRectF pillOf(const QString& text) const;
    [[nodiscard]] QRectF runPill(std::size_t box, double zoom) const;
    void paintRun(QPainter& painter, const QRectF& rect, const RunBadge& badge, double zoom) const;
    void paintPreview(QPainter& painter, const QRectF& exposed, double zoom) const;
    void paintMarks(QPainter& painter, const QRectF& exposed, double zoom) const;
    [[nodiscard]] const Shade& shadeOf(std::size_t box) const;

    std::shared_ptr<const Picture> m_picture;
    const Theme* m_theme = &lightTheme();
    std::vector<BoxLabel> m_labels; // [boxes]
    std::vector<double> m_widths; // [boxes] px on the screen that the label needs
    std::vector<Line> m_lines; // [edges]
    std::optional<LinePlaces> m_linePlaces; // none: no edge has a badge
    std::vector<double> m_titleRooms; // [boxes] px of an open box from its title to the first line or the side
    struct Gap {
        double left = 0; // px from the left side
        double width = 0;
    };
    std::vector<Gap> m_insideTitles; // [boxes] of a closed box: where no line leads in to what is inside
    EdgeTypes m_types;
    std::vector<RunBadge> m_runs; // [boxes], or none
    std::shared_ptr<const ShownOverlay> m_overlay; // null: none
    std::vector<std::optional<double>> m_values; // [boxes] of the overlay
    std::vector<bool> m_areMixed; // [boxes] of several categories of it
    std::vector<int> m_marked;
    std::vector<int> m_previewed;
    FoundBoxes m_found;
    int m_hovered = Picture::kNoBox;
    int m_current = Picture::kNoBox;
    std::vector<QRectF> m_start; // [boxes], or none
    double m_progress = 1;
    LabelPainter m_text;
    QFont m_font;
    QFont m_small;
    mutable Detail m_detail; // of the zoom drawn last
    mutable std::vector<Badge> m_badges; // of the zoom m_badgesZoom
    mutable double m_badgesZoom = 0; // 0: of none
};

} // namespace duo::ui
