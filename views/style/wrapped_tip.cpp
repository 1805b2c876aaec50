// SPDX-License-Identifier: Apache-2.0
#include "views/style/wrapped_tip.h"

#include "views/style/shown_text.h"

#include <QRegularExpression>
#include <QStringList>
#include <QTextDocument>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kMostLetters = 80; // of a line: where Qt breaks rich text

/// Qt breaks between words only; a name may be one of a thousand letters.
QString withBreaksInNames(QString text)
{
    static const QRegularExpression half(
        QStringLiteral("(\\S{%1})(?=\\S)").arg(kMostLetters / 2), QRegularExpression::UseUnicodePropertiesOption);
    return text.replace(half, QStringLiteral("\\1") + QChar(0x200B));
}

} // namespace

QString wrappedTip(const QString& whole, const QFontMetrics& metrics)
{
    const QString text = shownText(whole, true);
    const int most = kMostLetters * metrics.averageCharWidth();
    const QStringList lines = text.split(QLatin1Char('\n'));
    const bool isShort
        = std::ranges::all_of(lines, [&](const QString& line) { return metrics.horizontalAdvance(line) <= most; });
    if (isShort && !Qt::mightBeRichText(text))
        return text;
    return QStringLiteral("<div style='white-space: pre-wrap'>%1</div>").arg(withBreaksInNames(text).toHtmlEscaped());
}

} // namespace duo::ui
