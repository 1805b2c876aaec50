// SPDX-License-Identifier: Apache-2.0
#include "views/graph/minimap.h"

#include "views/style/state_style.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr QSizeF kMost(170, 120); // px
constexpr double kMargin = 4; // px
constexpr double kLeastBox = 1.5; // px: smaller ones are not drawn

const Shade& shadeOf(const Theme& theme, const ViewBox& box)
{
    if (box.open)
        return theme.frame;
    switch (box.kind) {
    case ViewBox::Kind::Node:
        return stateShade(theme, box.state);
    case ViewBox::Kind::Scope:
    case ViewBox::Kind::Group:
        return theme.scope;
    default:
        return theme.port;
    }
}

} // namespace

Minimap::Minimap(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("Map of the graph"));
    setToolTip(tr("The whole graph: click to go there"));
    setCursor(Qt::PointingHandCursor);
    hide();
}

void Minimap::setPicture(std::shared_ptr<const Picture> picture)
{
    m_picture = std::move(picture);
    draw();
}

void Minimap::setSeen(const QRectF& seen)
{
    m_seen = seen;
    setVisible(m_picture && !seen.contains(m_picture->bounds()));
    update();
}

void Minimap::draw()
{
    if (!m_picture || m_picture->graph.boxes.empty()) {
        hide();
        return;
    }
    const QRectF whole = m_picture->bounds();
    m_scale = std::min(kMost.width() / std::max(whole.width(), 1.0), kMost.height() / std::max(whole.height(), 1.0));
    resize((whole.size() * m_scale).toSize() + QSize(2 * qRound(kMargin), 2 * qRound(kMargin)));
    const double ratio = devicePixelRatioF();
    m_drawn = QPixmap((QSizeF(size()) * ratio).toSize());
    m_drawn.setDevicePixelRatio(ratio);
    const Theme& theme = themeFor(palette());
    m_drawn.fill(theme.base);
    QPainter painter(&m_drawn);
    painter.translate(kMargin, kMargin);
    painter.scale(m_scale, m_scale);
    for (std::size_t i = 0; i < m_picture->graph.boxes.size(); ++i) {
        const QRectF frame = m_picture->frame(static_cast<int>(i));
        if (m_picture->scale(static_cast<int>(i)) < 1 || frame.height() * m_scale < kLeastBox)
            continue;
        const Shade& shade = shadeOf(theme, m_picture->graph.boxes[i]);
        QPen pen(shade.border, 1);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.setBrush(shade.fill);
        painter.drawRect(frame);
    }
}

void Minimap::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeFor(palette());
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_drawn);
    painter.setPen(theme.frame.border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    const QRectF seen(m_seen.topLeft() * m_scale + QPointF(kMargin, kMargin), m_seen.size() * m_scale);
    QColor fill = theme.selection;
    fill.setAlphaF(0.18F);
    painter.setBrush(fill);
    painter.setPen(QPen(theme.selection, 1.5));
    painter.drawRect(seen.intersected(QRectF(rect()).adjusted(1, 1, -2, -2)));
}

void Minimap::ask(const QPointF& at)
{
    Q_EMIT wanted((at - QPointF(kMargin, kMargin)) / m_scale);
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    ask(event->position());
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        ask(event->position());
}

void Minimap::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_picture)
        draw();
}

} // namespace duo::ui
