// SPDX-License-Identifier: Apache-2.0
#include "views/shell/outcome_text.h"

#include "core/report/forecast_report.h"
#include "views/style/format.h"
#include "views/style/tr.h"
#include "views/style/window_words.h"

#include <algorithm>

namespace duo::ui {
namespace {

constexpr double kPercent = 100;

/// What the compared outputs say, as the verdict ranks them.
QString errorText(const std::vector<JudgedOutput>& outputs)
{
    if (outputs.empty())
        return tr("error not measured");
    const JudgedOutput* worst = worstOutput(outputs);
    if (worst == nullptr) {
        const auto compared = static_cast<std::size_t>(
            std::ranges::count_if(outputs, [](const JudgedOutput& output) { return output.measure.isCompared; }));
        return compared == outputs.size() ? tr("outputs as they were")
            : compared > 0                ? tr("compared outputs as they were")
                                          : tr("no output compared");
    }
    const OutputMeasure& measure = worst->measure;
    if (measure.sqnrDb)
        return QStringLiteral("%1 dB").arg(*measure.sqnrDb, 0, 'f', 1);
    return measure.isDiscrete ? windowWords(toQt(worst->text)) : tr("an output that is not finite");
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
    return tr("foreseen: about %1 of %2, %3")
        .arg(bytesText(forecast.bytesAfter), bytesText(forecast.bytesBefore), toQt(outputsForeseenText(forecast)));
}

QString measuredText(const ExportReport& report)
{
    QString text
        = tr("measured: %1 of %2, %3")
              .arg(bytesText(report.bytesAfter), bytesText(report.bytesBefore), errorText(report.verdict.outputs));
    if (report.verdict.quality)
        text += QStringLiteral(", ") + qualityText(*report.verdict.quality);
    return text;
}

} // namespace duo::ui
