// SPDX-License-Identifier: Apache-2.0
#include "views/results/results_view.h"

#include "views/results/export_text.h"

#include <QEvent>

#include <utility>

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

void ResultsView::setStale(bool isStale)
{
    if (std::exchange(m_isStale, isStale) != isStale)
        refresh();
}

void ResultsView::refresh()
{
    const Theme& theme = themeFor(palette());
    QString stale;
    if (m_isStale)
        stale = QStringLiteral("<p style='background-color:%1; color:%2; margin:0 0 8px 0'>&nbsp;%3</p>")
                    .arg(theme.warning.fill.name(), theme.warning.text.name(),
                        tr("! Of earlier rules: they have been changed since. Export again.").toHtmlEscaped());
    if (m_report)
        setHtml(stale + exportHtml(*m_report, theme));
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
