// SPDX-License-Identifier: Apache-2.0
#include "views/statistics/range_text.h"

#include "core/report/forecast/forecast_report.h"
#include "core/report/inspect_report.h"
#include "views/style/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace duo::ui {
namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("RangeText", text);
}

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
    return facts.used ? toQt(codesText(facts.config, facts.used->parameters)) : tr("no quantizer here");
}

QString histogramDescription(const ValueFacts& facts)
{
    const ValueStatistics& statistics = *facts.statistics;
    if (statistics.finite() == 0)
        return tr("Nothing finite was measured.");
    QString text = tr("%1 values from %2 to %3, mean %4.")
                       .arg(countText(statistics.finite()), numberText(statistics.min), numberText(statistics.max),
                           numberText(statistics.mean()));
    if (statistics.nonFinite() > 0)
        text += QLatin1Char(' ') + tr("%1 NaN or infinite left out.").arg(countText(statistics.nonFinite()));
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
    QString error = worst ? tr("about %1 at the worst output").arg(decibelText(worst)) : tr("no noise at the outputs");
    if (worst && before && std::abs(*worst - *before) >= kSameDb)
        error += QLatin1Char(' ') + tr("(was %1)").arg(decibelText(before));
    return tr("Foreseen: %1, size %2 → about %3")
        .arg(error, bytesText(forecast.bytesBefore), bytesText(forecast.bytesAfter));
}

} // namespace duo::ui
