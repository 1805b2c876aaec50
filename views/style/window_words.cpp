// SPDX-License-Identifier: Apache-2.0
#include "views/style/window_words.h"

#include "views/style/tr.h"

#include <QHash>
#include <QRegularExpression>

namespace duo::ui {
namespace {

struct Place {
    QString words; // "%1": the option's value; "": the place says it
    QString menu; // where it is chosen; "": the words say it
};

const QHash<QString, Place>& places()
{
    static const QHash<QString, Place> kPlaces{
        {QStringLiteral("data"), {tr("data"), tr("Quantize > Calibration data")}},
        {QStringLiteral("dim"), {QStringLiteral("%1"), tr("Quantize > Calibration data")}},
        {QStringLiteral("feed"), {QStringLiteral("%1"), tr("Quantize > Calibration data")}},
        {QStringLiteral("layout"), {tr("layout %1"), tr("Quantize > Calibration data")}},
        {QStringLiteral("labels"), {tr("labels beside the data"), {}}},
        {QStringLiteral("min-sqnr"), {tr("at least %1 dB"), tr("Quantize > Bounds")}},
        {QStringLiteral("min-agreement"), {tr("at least %1 of the answers the same"), tr("Quantize > Bounds")}},
        {QStringLiteral("max-drop"), {{}, tr("Quantize > Bounds")}},
        {QStringLiteral("metric"), {{}, tr("Quantize > Bounds")}},
        {QStringLiteral("allow-external"), {tr("the button here"), {}}},
        {QStringLiteral("engine-memory"), {{}, tr("Quantize > Limits of the engine")}},
        {QStringLiteral("sample-time"), {{}, tr("Quantize > Limits of the engine")}},
        {QStringLiteral("model-type"), {tr("model type %1"), tr("Config")}},
        {QStringLiteral("no-transform"), {tr("the stage common switched off"), tr("Transforms")}},
    };
    return kPlaces;
}

QString wordsFor(const Place& place, const QString& value)
{
    const QString words = place.words.contains(QLatin1String("%1")) ? place.words.arg(value) : place.words;
    if (words.isEmpty() || place.menu.isEmpty())
        return words + place.menu;
    return tr("%1 in %2").arg(words, place.menu);
}

/// "(--no-cache measures again)": of an option that the window has no place for.
void removeForeignHintsInPlace(QString& message)
{
    static const QRegularExpression kHint(QStringLiteral(R"( \(--([a-z][a-z-]*)[^)]*\))"));
    qsizetype from = 0;
    for (auto hint = kHint.match(message); hint.hasMatch(); hint = kHint.match(message, from)) {
        from = hint.capturedStart();
        if (places().contains(hint.captured(1)))
            ++from;
        else
            message.remove(from, hint.capturedLength());
    }
}

} // namespace

QString windowWords(QString message)
{
    static const QRegularExpression kHint(QStringLiteral(R"( \(in the window [^)]*\))"));
    static const QRegularExpression kOption(
        QStringLiteral(R"((?<![^\s(])--([a-z][a-z-]*)((?: (?:'[^']*'|[A-Z0-9][^\s,;:()]*|none))?))"));
    if (message.contains(QLatin1String(" MODEL "))) // a whole command, to be typed
        return message;
    message.remove(kHint); // for those who are not there
    removeForeignHintsInPlace(message);
    QString text;
    qsizetype done = 0;
    auto options = kOption.globalMatch(message);
    while (options.hasNext()) {
        const QRegularExpressionMatch option = options.next();
        const auto place = places().constFind(option.captured(1));
        if (place == places().cend())
            continue;
        text += QStringView(message).mid(done, option.capturedStart() - done);
        text += wordsFor(*place, option.captured(2).trimmed());
        done = option.capturedEnd();
    }
    return text += QStringView(message).mid(done);
}

} // namespace duo::ui
