// SPDX-License-Identifier: Apache-2.0
#include "views/results/results_view.h"

#include "core/report/verdict_report.h"
#include "views/results/export_text.h"
#include "views/style/format.h"

#include <QEvent>
#include <QFontMetrics>
#include <QPushButton>
#include <QResizeEvent>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kButtonMargin = 12; // px, beside its text

QString allSuggestedText(const Verdict& verdict)
{
    constexpr qsizetype kMost = 40;
    QStringList names;
    for (const SuggestedFloat& kept : verdict.suggested)
        names += toQt(kept.name);
    if (names.size() > kMost)
        names = names.mid(0, kMost) + QStringList(ResultsView::tr("%1 more").arg(names.size() - kMost));
    return names.join(QStringLiteral(", "));
}

} // namespace

ResultsView::ResultsView(QWidget* parent)
    : QTextBrowser(parent)
    , m_suggestion(new QPushButton(this))
{
    setObjectName(QStringLiteral("results"));
    setAccessibleName(tr("Results of the last quantization and export"));
    setOpenLinks(false);
    setAcceptDrops(false);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    document()->setDocumentMargin(8);
    m_suggestion->setObjectName(QStringLiteral("buttonSuggestedScope"));
    m_suggestion->hide();
    connect(m_suggestion, &QPushButton::clicked, this, [this] {
        RuleIntent intent{RuleIntent::Verb::Ignore, {}, false};
        for (const SuggestedFloat& kept : m_report ? m_report->verdict.suggested : std::vector<SuggestedFloat>())
            intent.subjects.push_back({kept.isNode ? RuleKind::Name : RuleKind::ExecutionScope, kept.name});
        if (!intent.subjects.empty())
            Q_EMIT rulesIntended(intent);
    });
    refresh();
}

void ResultsView::setReport(std::shared_ptr<const ExportReport> report, bool isStale)
{
    if (report == m_report && isStale == m_isReportStale)
        return;
    m_report = std::move(report);
    m_isReportStale = isStale;
    refresh();
}

void ResultsView::setQuantized(std::shared_ptr<const Compression> compression, bool isStale)
{
    if (compression == m_quantized && isStale == m_isQuantizedStale)
        return;
    m_quantized = std::move(compression);
    m_isQuantizedStale = isStale;
    refresh();
}

void ResultsView::setEarlier(const std::vector<EarlierResult>& results, const ResultOrigin& now)
{
    if (results == m_earlier && (results.empty() || now == m_now))
        return;
    m_earlier = results;
    m_now = now;
    refresh();
}

/// Above the text, as wide as it. Many or long names are shortened; the tooltip has all of them.
void ResultsView::placeSuggestion()
{
    const bool isOffered = m_report && !m_isReportStale && !m_report->verdict.suggested.empty();
    const int room = viewport()->width(); // beside the scroll bar
    if (isOffered) {
        const QString names = toQt(suggestionText(m_report->verdict));
        const QFontMetrics metrics = m_suggestion->fontMetrics();
        const int besides = metrics.horizontalAdvance(tr("Keep %1 in float").arg(QString())) + 2 * kButtonMargin;
        const QString shown = metrics.elidedText(names, Qt::ElideRight, std::max(0, room - besides));
        m_suggestion->setText(tr("Keep %1 in float").arg(shown).replace(QLatin1Char('&'), QStringLiteral("&&")));
        m_suggestion->setAccessibleName(tr("Keep %1 in float").arg(names));
        m_suggestion->setToolTip(
            tr("Adds a rule for each, which Undo takes away again: %1").arg(allSuggestedText(m_report->verdict)));
    }
    const int height = isOffered ? m_suggestion->sizeHint().height() : 0;
    setViewportMargins(0, height, 0, 0);
    m_suggestion->setGeometry(viewport()->x(), frameWidth(), room, height);
    m_suggestion->setVisible(isOffered);
}

void ResultsView::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    placeSuggestion();
}

void ResultsView::refresh()
{
    placeSuggestion();
    const Theme& theme = themeFor(palette());
    if (!m_report && !m_quantized && m_earlier.empty()) {
        setPlainText(tr("Nothing quantized yet."));
        setWindowTitle(tr("Results"));
        return;
    }
    const auto stale = [&theme](const QString& text) {
        return QStringLiteral("<p style='background-color:%1; color:%2; margin:0 0 8px 0'>&nbsp;%3</p>")
            .arg(theme.warning.fill.name(), theme.warning.text.name(), text.toHtmlEscaped());
    };
    QString html;
    if (m_quantized && m_isQuantizedStale)
        html += stale(tr("! Of earlier rules: they have been changed since. Quantize again."));
    if (m_quantized)
        html += quantizedHtml(*m_quantized, theme);
    if (m_quantized && m_report)
        html += QStringLiteral("<hr>");
    if (m_report && m_isReportStale)
        html += stale(tr("! Of earlier rules: they have been changed since. Export again."));
    if (m_report)
        html += exportHtml(*m_report, theme);
    for (const EarlierResult& earlier : m_earlier)
        html += (html.isEmpty() ? QString() : QStringLiteral("<hr>")) + earlierHtml(earlier, m_now, theme);
    setHtml(html);
    const bool isStale = (m_quantized && m_isQuantizedStale) || (m_report && m_isReportStale);
    setWindowTitle(isStale ? tr("Results !") : tr("Results"));
}

void ResultsView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace duo::ui
