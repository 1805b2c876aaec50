// SPDX-License-Identifier: Apache-2.0
#include "views/graph/form_switch.h"

#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kMostText = 300; // px

} // namespace

FormSwitch::FormSwitch(QWidget* parent)
    : QFrame(parent)
    , m_segments(new QHBoxLayout)
    , m_about(new QLabel(this))
{
    setObjectName(QStringLiteral("formSwitch"));
    setAccessibleName(tr("Form of the graph"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_segments->setSpacing(0);
    m_about->setObjectName(QStringLiteral("formAbout"));
    m_about->setWordWrap(true);
    m_about->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(3, 3, 3, 3);
    column->setSpacing(3);
    column->addLayout(m_segments);
    column->addWidget(m_about);
    hide();
}

void FormSwitch::setActions(const std::vector<QAction*>& actions)
{
    for (QAction* action : actions) {
        auto* segment = new QToolButton(this);
        segment->setObjectName(action->objectName() + QStringLiteral(":segment"));
        segment->setDefaultAction(action);
        segment->setToolButtonStyle(Qt::ToolButtonTextOnly);
        segment->setAutoRaise(true);
        m_segments->addWidget(segment);
    }
    m_segments->addStretch();
}

void FormSwitch::setAbout(const QString& text)
{
    if (text == m_about->text())
        return;
    m_about->setText(text);
    m_about->setVisible(!text.isEmpty());
    Q_EMIT resized();
}

void FormSwitch::moveTo(const QPoint& topRight, int width)
{
    const QMargins margins = layout()->contentsMargins();
    const int room = std::min(kMostText, width) - margins.left() - margins.right();
    if (!m_about->isHidden()) {
        const int natural = m_about->fontMetrics().horizontalAdvance(m_about->text()) + 2;
        m_about->setFixedWidth(std::max(1, std::min(natural, room)));
        m_about->setFixedHeight(m_about->heightForWidth(m_about->width()));
    }
    layout()->activate();
    resize(sizeHint());
    move(topRight.x() - this->width(), topRight.y());
    raise();
}

} // namespace duo::ui
