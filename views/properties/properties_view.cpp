// SPDX-License-Identifier: Apache-2.0
#include "views/properties/properties_view.h"

#include "views/properties/properties_text.h"

#include <QEvent>
#include <QScrollBar>

namespace duo::ui {

PropertiesView::PropertiesView(QWidget* parent)
    : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("properties"));
    setAccessibleName(tr("Properties of the selection"));
    setOpenLinks(false);
    setAcceptDrops(false);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    document()->setDocumentMargin(8);
}

void PropertiesView::setSnapshot(std::shared_ptr<const Snapshot> snapshot)
{
    if (!snapshot || !m_snapshot || snapshot->model != m_snapshot->model)
        m_selection = {};
    m_snapshot = std::move(snapshot);
    refresh();
}

void PropertiesView::setSelection(const Selection& selection)
{
    m_selection = selection;
    refresh();
    verticalScrollBar()->setValue(0);
}

void PropertiesView::refresh()
{
    if (m_snapshot)
        setHtml(propertiesHtml(*m_snapshot, m_selection, themeFor(palette())));
    else
        clear();
}

void PropertiesView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace duo::ui
