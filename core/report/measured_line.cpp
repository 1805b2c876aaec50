// SPDX-License-Identifier: Apache-2.0
#include "core/report/measured_line.h"

#include "core/report/inspect_report.h"

#include <algorithm>
#include <cstddef>

namespace duo {
namespace {

constexpr double kPercent = 100;

/// What the compared outputs say, as the verdict ranks them.
std::string errorText(const std::vector<JudgedOutput>& outputs)
{
    if (outputs.empty())
        return "error not measured";
    const JudgedOutput* worst = worstOutput(outputs);
    if (worst == nullptr) {
        const std::size_t compared = comparedCount(outputs);
        return compared == outputs.size() ? "outputs as they were"
            : compared > 0                ? "compared outputs as they were"
                                          : "no output compared";
    }
    const OutputMeasure& measure = worst->measure;
    if (measure.sqnrDb)
        return fixedText(*measure.sqnrDb, 1) + " dB";
    return measure.isDiscrete ? worst->text : "an output that is not finite";
}

/// Accuracy is a share of all samples; a metric of the user's is a number of any kind.
std::string qualityText(const QualityMeasure& quality)
{
    const auto number
        = [&](double value) { return quality.isRelative ? shortText(value) : fixedText(kPercent * value, 1) + " %"; };
    return quality.what + " " + number(quality.after) + " (float " + number(quality.before) + ")";
}

} // namespace

std::string measuredLine(const ExportReport& report)
{
    std::string text = "measured: " + bytesText(report.bytesAfter) + " of " + bytesText(report.bytesBefore) + ", "
        + errorText(report.verdict.outputs);
    if (report.verdict.quality)
        text += ", " + qualityText(*report.verdict.quality);
    return text;
}

} // namespace duo
