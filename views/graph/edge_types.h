// SPDX-License-Identifier: Apache-2.0
// EdgeTypes: what flows along the edges of a picture, written beside them.
#pragma once

#include "core/model/value_types.h"
#include "views/graph/picture.h"
#include "views/style/theme.h"

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>

#include <span>
#include <vector>

namespace duo::ui {

/// [edges] of the picture: "float32 [N, 64, 56, 56]" once per box and value, "3 values" for an edge of several; nothing
/// of inputs, whose boxes say it, of what is drawn small inside closed boxes, and of what
/// nobody knows.
std::vector<QString> typesBesideEdges(const Picture& picture, const ValueTypes& types);

/// For the tip of a line, at any zoom: what flows along it, in which type where that is known, from where to where.
/// @param types null: they are being found out
QString edgeTip(const Picture& picture, const ViewEdge& edge, const ValueTypes* types);

class EdgeTypes
{
public:
    EdgeTypes() = default; // none
    /// typesBesideEdges(), beside the first piece of the edge; smaller where another text, a line or a border is in the
    /// way everywhere, and left out where that is so of small ones too.
    /// @param badges px of the scene: where badges stand
    /// O(edges + their length).
    EdgeTypes(const Picture& picture, const ValueTypes& types, const QFont& font, std::span<const QRectF> badges = {});

    struct Label {
        QRectF rect; // px of the scene
        QString text;
        double scale = 1; // of the text; smaller ones are drawn where one has zoomed in
    };
    [[nodiscard]] const std::vector<Label>& labels() const { return m_labels; }
    [[nodiscard]] QRectF bounds(double zoom) const; // of what is drawn at it, px of the scene; null: nothing
    [[nodiscard]] static bool isShownAt(double zoom); // texts of full size can be read there
    /// Draws what meets `exposed`, where the zoom lets it be read.
    void paint(QPainter& painter, const QRectF& exposed, double zoom, const Theme& theme) const;

private:
    QFont m_font;
    std::vector<Label> m_labels;
};

} // namespace duo::ui
