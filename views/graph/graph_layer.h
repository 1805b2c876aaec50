// SPDX-License-Identifier: Apache-2.0
// GraphView::LayerItem: one layer of the picture as one scene item; there is no item per box.
#pragma once

#include "views/graph/graph_view.h"

#include <QGraphicsItem>
#include <QStyleOptionGraphicsItem>

namespace duo::ui {

class GraphView::LayerItem : public QGraphicsItem
{
public:
    LayerItem(const GraphPainter& painter, GraphPainter::Layer layer)
        : m_painter(painter)
        , m_layer(layer)
    {
        setFlag(ItemUsesExtendedStyleOption); // else exposedRect is the whole item
        setAcceptedMouseButtons(Qt::NoButton);
    }

    void setBounds(const QRectF& bounds)
    {
        prepareGeometryChange();
        m_bounds = bounds;
    }

    [[nodiscard]] QRectF boundingRect() const override { return m_bounds; }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override
    {
        const double zoom = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
        painter->save();
        m_painter.paint(*painter, m_layer, option->exposedRect, zoom);
        painter->restore();
    }

private:
    const GraphPainter& m_painter;
    GraphPainter::Layer m_layer;
    QRectF m_bounds;
};

} // namespace duo::ui
