// SPDX-License-Identifier: Apache-2.0
#include "views/style/format.h"

#include "core/support/phrases.h"
#include "core/support/visible_text.h"
#include "views/style/tr.h"
#include "views/style/window_words.h"

#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include <array>

namespace duo::ui {
namespace {

constexpr std::size_t kListEntries = 12;

QString entryText(std::int64_t value)
{
    return QString::number(value);
}
QString entryText(float value)
{
    return QString::number(static_cast<double>(value), 'g', 6);
}
QString entryText(const std::string& value)
{
    return QLatin1Char('"') + toQt(value) + QLatin1Char('"');
}

template <typename T> QString listText(const std::vector<T>& values)
{
    QStringList entries;
    for (std::size_t i = 0; i < values.size() && i < kListEntries; ++i)
        entries += entryText(values[i]);
    if (values.size() > kListEntries)
        entries += QStringLiteral("… %1 more").arg(values.size() - kListEntries);
    return QLatin1Char('[') + entries.join(QStringLiteral(", ")) + QLatin1Char(']');
}

/// From a thousand on.
QString shortCount(double count)
{
    static constexpr std::array<char, 6> kUnits = {'k', 'M', 'G', 'T', 'P', 'E'};
    double value = count / 1000;
    std::size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < kUnits.size(); ++unit)
        value /= 1000;
    return QString::number(value, 'g', 3) + QLatin1Char(kUnits[unit]);
}

struct AttributeValueText {
    QString operator()(std::monostate) const { return QStringLiteral("(not shown)"); }
    QString operator()(TensorId) const { return QStringLiteral("tensor"); }
    QString operator()(std::int64_t value) const { return entryText(value); }
    QString operator()(float value) const { return entryText(value); }
    QString operator()(const std::string& value) const { return entryText(value); }
    template <typename T> QString operator()(const std::vector<T>& values) const { return listText(values); }
};

} // namespace

QString dateText(std::string_view date)
{
    const QDateTime when = QDateTime::fromString(toQt(date), Qt::ISODateWithMs);
    return when.isValid() ? QLocale::c().toString(when.toLocalTime(), QStringLiteral("d MMM yyyy HH:mm")) : toQt(date);
}

QString toQt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString noteText(const NoteGroup& group)
{
    return windowWords(toQt(visibleText(noteLine(group))));
}

std::string toStd(const QString& text)
{
    return text.toStdString();
}

QString pathText(const std::filesystem::path& path)
{
    return QString::fromStdString(path.string());
}

std::filesystem::path toPath(const QString& path)
{
    return std::filesystem::path(path.toStdString());
}

QString countText(std::int64_t count)
{
    return toQt(duo::countText(count));
}

QString shortCounts(const QString& text)
{
    static const QRegularExpression grouped(QStringLiteral("[0-9]{1,3}(,[0-9]{3})+"));
    QString result;
    qsizetype end = 0;
    for (auto found = grouped.globalMatch(text); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        result += QStringView(text).sliced(end, match.capturedStart() - end);
        result += shortCount(match.captured().remove(QLatin1Char(',')).toDouble());
        end = match.capturedEnd();
    }
    return result.append(QStringView(text).sliced(end));
}

QString nodesText(std::int64_t count)
{
    return toQt(duo::nodesText(static_cast<std::size_t>(count)));
}

QString overSamples(std::int64_t samples)
{
    return QStringLiteral(" over ") + toQt(counted(static_cast<std::size_t>(samples), "sample", "samples"));
}

QString bytesText(std::int64_t bytes)
{
    static constexpr std::array<const char*, 5> kUnits = {"kB", "MB", "GB", "TB", "PB"};
    if (bytes < 1000)
        return QStringLiteral("%1 B").arg(bytes);
    double value = static_cast<double>(bytes) / 1000.0;
    std::size_t unit = 0;
    for (; value >= 999.95 && unit + 1 < kUnits.size(); ++unit)
        value /= 1000.0;
    return QStringLiteral("%1 %2").arg(value, 0, 'f', 1).arg(QLatin1String(kUnits[unit]));
}

QString typeText(const ValueType& type)
{
    const bool isKnown = type.element != ElementType::Undefined;
    const QString text = isKnown ? toQt(elementTypeName(type.element)) : QStringLiteral("?");
    if (!type.shape)
        return isKnown ? tr("%1 of unknown rank").arg(text) : tr("type not known");
    QStringList dims;
    for (const Dim& dim : *type.shape)
        dims += dim.size         ? QString::number(*dim.size)
            : dim.symbol.empty() ? QStringLiteral("?")
                                 : toQt(visibleText(dim.symbol));
    return text + QStringLiteral(" [") + dims.join(QStringLiteral(", ")) + QLatin1Char(']');
}

QString attributeText(const Attribute& attribute)
{
    return toQt(attribute.name) + QStringLiteral(" = ") + std::visit(AttributeValueText{}, attribute.value);
}

} // namespace duo::ui
