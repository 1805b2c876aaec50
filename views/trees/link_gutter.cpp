// SPDX-License-Identifier: Apache-2.0
#include "views/trees/link_gutter.h"

#include "views/style/wrapped_tip.h"
#include "views/trees/link_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QStyleOptionHeader>
#include <QToolTip>

#include <utility>

namespace duo::ui {
namespace {

constexpr int kLetters = 8; // width, in average letters
constexpr double kReach = 5; // px from a line that still hit it
constexpr double kTextScale = 0.85; // of signs and marks

std::vector<LinkRow> linkRows(const std::vector<GutterRow>& rows)
{
    std::vector<LinkRow> result;
    for (const GutterRow& row : rows)
        result.push_back(row.link);
    return result;
}

} // namespace

LinkGutter::LinkGutter(QSplitter* parent)
    : QSplitterHandle(Qt::Horizontal, parent)
{
    setObjectName(QStringLiteral("linkGutter"));
    setAccessibleName(tr("Links between execution and storage scopes"));
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

QSize LinkGutter::sizeHint() const
{
    return {splitter()->handleWidth(), 0};
}

void LinkGutter::setContents(const TreeContent* execution, const TreeContent* storage, std::function<Sight()> look)
{
    m_execution = execution;
    m_storage = storage;
    m_look = std::move(look);
}

void LinkGutter::setLinks(const IsShown& isShown)
{
    m_scene = {}; // its rows may be gone
    m_sets = {};
    m_isShown = isShown;
    m_isStale = true;
    update();
}

void LinkGutter::findLinks()
{
    if (!std::exchange(m_isStale, false))
        return;
    m_sets = makeLinkSets(*m_execution, *m_storage, m_isShown);
    selectInPlace(m_sets, m_selection);
    setAccessibleDescription(tr("%n link(s)", nullptr, static_cast<int>(m_sets.points.size())));
}

void LinkGutter::setSelection(const std::vector<NodeId>& nodes)
{
    m_selection = nodes;
    selectInPlace(m_sets, m_selection);
    update();
}

void LinkGutter::paintHeader(QPainter& painter) const
{
    QStyleOptionHeader option;
    option.initFrom(this);
    option.rect = QRect(0, 0, width(), m_scene.area.top());
    option.text = tr("Links");
    option.textAlignment = Qt::AlignCenter;
    option.position = QStyleOptionHeader::OnlyOneSection;
    style()->drawControl(QStyle::CE_Header, &option, &painter, this);
}

void LinkGutter::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeFor(palette());
    painter.fillRect(rect(), theme.base);
    if (!m_look)
        return;
    findLinks();
    Sight sight = m_look();
    m_scene.area = sight.area;
    m_scene.execution = std::move(sight.execution);
    m_scene.storage = std::move(sight.storage);
    m_scene.links = layoutLinks(m_sets, linkRows(m_scene.execution), linkRows(m_scene.storage));
    if (m_scene.hovered && *m_scene.hovered >= m_scene.links.size())
        m_scene.hovered.reset();
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * kTextScale);
    painter.setFont(small);
    paintLinks(painter, m_scene, theme);
    painter.setFont(font());
    paintHeader(painter);
}

void LinkGutter::hover(std::optional<std::size_t> link)
{
    if (link == m_scene.hovered)
        return;
    m_scene.hovered = link;
    setCursor(link ? Qt::PointingHandCursor : Qt::SplitHCursor);
    update();
}

void LinkGutter::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() == Qt::NoButton)
        hover(linkAt(m_scene, event->position(), kReach));
    else
        QSplitterHandle::mouseMoveEvent(event);
}

void LinkGutter::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->globalPosition().toPoint();
    QSplitterHandle::mousePressEvent(event);
}

void LinkGutter::mouseReleaseEvent(QMouseEvent* event)
{
    QSplitterHandle::mouseReleaseEvent(event);
    const auto moved = (event->globalPosition().toPoint() - m_pressed).manhattanLength();
    const auto link = linkAt(m_scene, event->position(), kReach);
    if (event->button() != Qt::LeftButton || moved >= QApplication::startDragDistance() || !link)
        return;
    const Link& chosen = m_scene.links[*link];
    Q_EMIT selected(selectNodes(nodesOn(m_sets, chosen.executionSpan, chosen.storageSpan)));
}

void LinkGutter::leaveEvent(QEvent* event)
{
    hover(std::nullopt);
    QSplitterHandle::leaveEvent(event);
}

QString LinkGutter::textAt(QPoint position) const
{
    if (position.y() < m_scene.area.top())
        return linkLegend();
    if (const auto link = linkAt(m_scene, position, kReach))
        return linkText(m_sets, *m_execution, m_scene.links[*link]);
    const GutterRow* row = markAt(m_scene, position, fontMetrics().height());
    if (!row)
        return {};
    const bool isExecution = position.x() < m_scene.area.center().x();
    const TreeContent& content = isExecution ? *m_execution : *m_storage;
    return markSentence(content, content.rows[row->row], row->mark);
}

bool LinkGutter::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QSplitterHandle::event(event);
    const auto* help = static_cast<const QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), wrappedTip(textAt(help->pos()), fontMetrics()), this);
    return true;
}

LinkSplitter::LinkSplitter(QWidget* parent)
    : QSplitter(Qt::Horizontal, parent)
{
    setHandleWidth(fontMetrics().averageCharWidth() * kLetters);
    setChildrenCollapsible(false);
}

LinkGutter* LinkSplitter::gutter() const
{
    return count() < 2 ? nullptr : qobject_cast<LinkGutter*>(handle(1));
}

QSplitterHandle* LinkSplitter::createHandle()
{
    return new LinkGutter(this);
}

} // namespace duo::ui
