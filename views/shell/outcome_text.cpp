// SPDX-License-Identifier: Apache-2.0
#include "views/shell/outcome_text.h"

#include "core/report/forecast_report.h"
#include "views/style/format.h"
#include "views/style/tr.h"

namespace duo::ui {

QString foreseenText(const ForeseenSize& size)
{
    return tr("foreseen: %1").arg(toQt(sizeForeseenText(size)));
}

QString foreseenText(const Foresight& foresight)
{
    if (foresight.problem)
        return {};
    const Forecast& forecast = *foresight.forecast;
    const QString text = foreseenText(forecast.size) + tr(", %1").arg(toQt(outputsForeseenText(forecast)));
    const bool isOfSamples = forecast.worstOutput() != nullptr && forecast.outputSamples > 0;
    return isOfSamples ? text + overSamples(forecast.outputSamples) : text;
}

} // namespace duo::ui
