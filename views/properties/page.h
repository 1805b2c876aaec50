// SPDX-License-Identifier: Apache-2.0
// Page: builds rich text in titles, sections and lines; every text handed in is escaped, except what is called html.
#pragma once

#include "core/scope/scope.h"
#include "views/style/theme.h"

#include <QString>

namespace duo::ui {

class Page
{
public:
    explicit Page(const Theme& theme)
        : m_theme(theme)
    {
    }
    void title(const QString& text, const QString& kind);
    void section(const QString& text);
    void row(const QString& key, const QString& value); // nothing without a value
    void rowHtml(const QString& key, const QString& html);
    void line(const QString& text);
    void lineHtml(const QString& html);
    void quiet(const QString& text);
    void colored(const QString& text, const QColor& color);
    void append(const Page& other) { m_html += other.m_html; }
    [[nodiscard]] const QString& html() const { return m_html; }
    [[nodiscard]] const Theme& theme() const { return m_theme; }

    /// Escaped; paths break after separators only, which rich text cannot know by itself.
    static QString breakable(const QString& text);
    static QString link(const QString& target, const QString& text);
    /// How a fact came to be known, as a small label that explains itself when pointed at.
    [[nodiscard]] QString chip(Provenance provenance) const;

private:
    const Theme& m_theme;
    QString m_html;
};

} // namespace duo::ui
