// SPDX-License-Identifier: Apache-2.0
#include "views/statistics/range_text.h"

#include "core/report/forecast_report.h"
#include "core/report/inspect_report.h"
#include "views/style/format.h"
#include "views/style/tr.h"

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

constexpr double kSameDb = 0.05; // shown alike

} // namespace

QString numberText(double number)
{
    return toQt(shortText(number));
}

QString shareText(double share)
{
    if (share <= 0)
        return QStringLiteral("0");
    const double percent = 100 * share;
    const double unit = std::pow(10, std::floor(std::log10(percent)) - 1); // of the second digit
    return QStringLiteral("%1 %").arg(numberText(std::round(percent / unit) * unit));
}

QString decibelText(const std::optional<double>& sqnrDb)
{
    return sqnrDb ? QStringLiteral("%1 dB").arg(toQt(fixedText(*sqnrDb, 1))) : QStringLiteral("–");
}

QString scaleText(const QuantizationParameters& parameters)
{
    const auto [least, most] = std::ranges::minmax_element(parameters.scale);
    return *least == *most ? numberText(*most) : QStringLiteral("%1 … %2").arg(numberText(*least), numberText(*most));
}

QString zeroPointText(const QuantizationParameters& parameters)
{
    return QString::number(parameters.zeroPoint.front());
}

QString quantizerText(const ValueFacts& facts)
{
    return facts.used ? toQt(codesText(facts.config, facts.used->parameters))
        : facts.point ? tr("range of its quantizer not known")
                      : tr("no quantizer here");
}

QString nonFiniteText(const ValueStatistics& statistics)
{
    if (statistics.nonFinite() == 0)
        return {};
    QString text
        = tr("%1 of %2 are NaN or infinite").arg(countText(statistics.nonFinite()), countText(statistics.elements));
    if (statistics.firstNonFiniteSample >= 0)
        text += tr(", first in sample %1").arg(statistics.firstNonFiniteSample);
    return text;
}

QString noHistogramText(const ValueStatistics& statistics)
{
    if (statistics.elements == 0)
        return tr("It has no elements.");
    return statistics.finite() == 0 ? tr("Nothing finite was measured of it.") : QString();
}

QString histogramDescription(const ValueFacts& facts)
{
    const ValueStatistics& statistics = *facts.statistics;
    if (const QString nothing = noHistogramText(statistics); !nothing.isEmpty())
        return nothing;
    QString text = tr("%1 values from %2 to %3, mean %4.")
                       .arg(countText(statistics.finite()), numberText(statistics.min), numberText(statistics.max),
                           numberText(statistics.mean()));
    if (const QString odd = nonFiniteText(statistics); !odd.isEmpty())
        text += QLatin1Char(' ') + tr("%1.").arg(odd);
    if (facts.used)
        text += QLatin1Char(' ')
            + tr("The codes reach from %1 to %2, %3 are clipped.")
                  .arg(numberText(facts.used->ends.min), numberText(facts.used->ends.max),
                      shareText(facts.used->fit.clippedShare));
    return text;
}

QString forecastSummary(const Forecast& forecast, const std::optional<double>& before)
{
    const auto worst = forecast.worstSqnrDb();
    QString error
        = worst ? tr("about %1 at the worst output").arg(decibelText(worst)) : toQt(outputsForeseenText(forecast));
    if (worst && before && std::abs(*worst - *before) >= kSameDb)
        error += QLatin1Char(' ') + tr("(was %1)").arg(decibelText(before));
    return tr("Foreseen: %1, size %2").arg(error, toQt(sizeForeseenText(forecast.size)));
}

} // namespace duo::ui
