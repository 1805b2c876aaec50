// SPDX-License-Identifier: Apache-2.0
#include "views/properties/page.h"

#include "views/style/format.h"
#include "views/style/scope_text.h"
#include "views/style/shown_text.h"

namespace duo::ui {

QString Page::breakable(const QString& text)
{
    QString escaped = shownText(text).toHtmlEscaped();
    for (const QChar separator : {QLatin1Char('/'), QLatin1Char('.'), QLatin1Char('_')})
        escaped.replace(separator, QString(separator) + QChar(0x200b));
    return escaped;
}

QString Page::link(const QString& target, const QString& text)
{
    return QStringLiteral("<a href='%1'>%2</a>").arg(target.toHtmlEscaped(), breakable(text));
}

QString Page::chip(Provenance provenance) const
{
    const Shade& shade = provenance == Provenance::Guess ? m_theme.warning : m_theme.scope;
    const QString word = toQt(provenanceText(provenance));
    return QStringLiteral("<span style='background-color:%1; color:%2; font-size:small%3' title='%4'>&nbsp;%5&nbsp;"
                          "</span>")
        .arg(shade.fill.name(), shade.text.name(),
            provenance == Provenance::Guess ? QStringLiteral("; font-style:italic") : QString(),
            provenanceSentence(provenance).toHtmlEscaped(),
            provenance == Provenance::Guess ? word + QLatin1Char('?') : word);
}

void Page::title(const QString& text, const QString& kind)
{
    m_html += QStringLiteral("<p style='margin:0'><span style='font-size:large; font-weight:600'>%1</span><br>"
                             "<span style='color:%2'>%3</span></p>")
                  .arg(breakable(text), m_theme.muted.name(), kind.toHtmlEscaped());
}

void Page::section(const QString& text)
{
    m_html += QStringLiteral("<p style='margin:10px 0 2px 0; font-weight:600'>%1</p>").arg(text.toHtmlEscaped());
}

void Page::row(const QString& key, const QString& value)
{
    if (!value.isEmpty())
        rowHtml(key, breakable(value));
}

void Page::rowHtml(const QString& key, const QString& html)
{
    lineHtml(
        QStringLiteral("<span style='color:%1'>%2:</span> %3").arg(m_theme.muted.name(), key.toHtmlEscaped(), html));
}

void Page::line(const QString& text)
{
    lineHtml(breakable(text));
}

void Page::lineHtml(const QString& html)
{
    m_html += QStringLiteral("<p style='margin:0 0 2px 0'>%1</p>").arg(html);
}

void Page::quiet(const QString& text)
{
    lineHtml(QStringLiteral("<span style='color:%1'>%2</span>").arg(m_theme.muted.name(), breakable(text)));
}

void Page::colored(const QString& text, const QColor& color)
{
    m_html += QStringLiteral("<p style='margin:6px 0 2px 0; color:%1; font-weight:600'>%2</p>")
                  .arg(color.name(), text.toHtmlEscaped());
}

} // namespace duo::ui
