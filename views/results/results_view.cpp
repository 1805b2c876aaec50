// SPDX-License-Identifier: Apache-2.0
#include "views/results/results_view.h"

#include "views/results/export_text.h"

#include <QEvent>

namespace duo::ui {

ResultsView::ResultsView(QWidget* parent)
    : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("results"));
    setAccessibleName(tr("Results of the last export"));
    setOpenLinks(false);
    setAcceptDrops(false);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    document()->setDocumentMargin(8);
    refresh();
}

void ResultsView::setReport(std::shared_ptr<const ExportReport> report)
{
    m_report = std::move(report);
    refresh();
}

void ResultsView::refresh()
{
    if (m_report)
        setHtml(exportHtml(*m_report, themeFor(palette())));
    else
        setPlainText(tr("Nothing exported yet."));
}

void ResultsView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace duo::ui
