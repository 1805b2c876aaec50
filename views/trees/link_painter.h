// SPDX-License-Identifier: Apache-2.0
// How links look: curves between rows, arrows to what is out of sight, marks at rows that stand alone or for several.
#pragma once

#include "views/style/theme.h"
#include "views/trees/link_layout.h"
#include "views/trees/link_mark.h"

#include <QPainter>
#include <QPainterPath>
#include <QRect>

#include <optional>
#include <vector>

namespace duo::ui {

/// A row in sight with what the gutter needs of it.
struct GutterRow {
    LinkRow link;
    std::size_t row = 0; // TreeContent::rows
    LinkMark mark;
};

/// Everything in the gutter at one moment. Rows, px and links are in the gutter's coordinates.
struct LinkScene {
    QRect area; // beside the rows: below the headers
    std::vector<GutterRow> execution;
    std::vector<GutterRow> storage;
    std::vector<Link> links;
    std::optional<std::size_t> hovered; // link
};

/// The curve of a link; one that leaves ends at the top or bottom of the area.
QPainterPath linkPath(const LinkScene& scene, const Link& link);

/// The link within `distance` px of a point; the nearest, selected ones first.
std::optional<std::size_t> linkAt(const LinkScene& scene, QPointF point, double distance);

/// The row of a tree at a height, if it carries a mark.
const GutterRow* markAt(const LinkScene& scene, QPointF point, int rowHeight);

void paintLinks(QPainter& painter, const LinkScene& scene, const Theme& theme);

} // namespace duo::ui
