// SPDX-License-Identifier: Apache-2.0
#include "views/shell/outcome_text.h"

#include "views/style/format.h"
#include "views/style/tr.h"

#include <algorithm>

namespace duo::ui {
namespace {

constexpr double kPercent = 100;

QString sqnrText(double decibel)
{
    return QStringLiteral("%1 dB").arg(decibel, 0, 'f', 1);
}

QString errorText(const std::vector<OutputError>& outputs)
{
    if (outputs.empty())
        return tr("error not measured");
    std::optional<double> worst;
    for (const OutputError& output : outputs) {
        if (output.identical)
            continue;
        if (!output.sqnrDb)
            return tr("an output that is not finite");
        worst = std::min(worst.value_or(*output.sqnrDb), *output.sqnrDb);
    }
    return worst ? sqnrText(*worst) : tr("outputs as they were");
}

/// Accuracy is a share of all samples; a metric of the user's is a number of any kind.
QString qualityText(const QualityMeasure& quality)
{
    const auto number = [&](double value) {
        return quality.isRelative ? QString::number(value, 'g', 4)
                                  : QStringLiteral("%1 %").arg(kPercent * value, 0, 'f', 1);
    };
    return tr("%1 %2 (float %3)").arg(toQt(quality.what), number(quality.after), number(quality.before));
}

} // namespace

QString foreseenText(const Foresight& foresight)
{
    if (foresight.problem)
        return {};
    const Forecast& forecast = *foresight.forecast;
    const auto worst = forecast.worstSqnrDb();
    const QString error = worst       ? sqnrText(*worst)
        : forecast.whyNoError.empty() ? tr("outputs as they were")
                                      : tr("error of the outputs not known");
    return tr("foreseen: about %1 of %2, %3")
        .arg(bytesText(forecast.bytesAfter), bytesText(forecast.bytesBefore), error);
}

QString measuredText(const ExportReport& report)
{
    QString text = tr("measured: %1 of %2, %3")
                       .arg(bytesText(report.bytesAfter), bytesText(report.bytesBefore), errorText(report.outputs));
    if (report.verdict.quality)
        text += QStringLiteral(", ") + qualityText(*report.verdict.quality);
    return text;
}

} // namespace duo::ui
