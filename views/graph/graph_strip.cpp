// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_strip.h"

#include <QEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace duo::ui {

GraphStrip::GraphStrip(QWidget* parent)
    : QFrame(parent)
    , m_row(new QHBoxLayout)
    , m_path(new Breadcrumb(this))
    , m_segments(new QFrame(this))
    , m_about(new QLabel(this))
{
    setObjectName(QStringLiteral("graphStrip"));
    setAutoFillBackground(true);
    m_segments->setObjectName(QStringLiteral("graphForms"));
    m_segments->setAccessibleName(tr("Form of the graph"));
    auto* segments = new QHBoxLayout(m_segments);
    segments->setContentsMargins(0, 0, 0, 0);
    segments->setSpacing(0);
    m_row->addWidget(m_path);
    m_row->addStretch(1);
    m_row->addWidget(m_segments);
    m_about->setObjectName(QStringLiteral("formAbout"));
    m_about->setWordWrap(true);
    m_about->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 2, 6, 2);
    column->setSpacing(2);
    column->addLayout(m_row);
    column->addWidget(m_about);
    hide();
}

int GraphStrip::roomOfPath() const
{
    const QMargins margins = layout()->contentsMargins();
    return std::max(0, width() - margins.left() - margins.right() - m_segments->sizeHint().width() - m_row->spacing());
}

void GraphStrip::setActions(const std::vector<QAction*>& actions)
{
    for (QAction* action : actions) {
        auto* segment = new QToolButton(m_segments);
        segment->setObjectName(action->objectName() + QStringLiteral(":segment"));
        segment->setDefaultAction(action);
        segment->setToolButtonStyle(Qt::ToolButtonTextOnly);
        segment->setAutoRaise(true);
        m_segments->layout()->addWidget(segment);
    }
}

void GraphStrip::setAbout(const QString& text)
{
    if (text == m_about->text())
        return;
    m_about->setText(text);
    m_about->setVisible(!text.isEmpty());
    Q_EMIT changed();
}

int GraphStrip::takeWidth(int width)
{
    layout()->activate();
    const int height = layout()->hasHeightForWidth() ? layout()->totalHeightForWidth(width) : sizeHint().height();
    setGeometry(0, 0, width, height);
    return height;
}

bool GraphStrip::event(QEvent* event)
{
    const bool isHandled = QFrame::event(event);
    const QEvent::Type type = event->type();
    if (type == QEvent::ShowToParent || type == QEvent::HideToParent || type == QEvent::LayoutRequest)
        Q_EMIT changed();
    return isHandled;
}

} // namespace duo::ui
