// SPDX-License-Identifier: Apache-2.0
#include "core/support/progress_rate.h"

#include <cmath>

namespace duo {
namespace {

/// Three digits are enough: "0.25", "4.1", "45".
std::string rateText(double rate)
{
    const int decimals = rate < 1 ? 2 : rate < 10 ? 1 : 0;
    const double unit = std::pow(10, decimals);
    const auto scaled = static_cast<std::int64_t>(std::llround(rate * unit));
    std::string text = std::to_string(scaled / static_cast<std::int64_t>(unit));
    if (decimals == 0)
        return text;
    const std::string rest = std::to_string(scaled % static_cast<std::int64_t>(unit));
    return text + "." + std::string(static_cast<std::size_t>(decimals) - rest.size(), '0') + rest;
}

std::string durationText(double seconds)
{
    const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
    if (whole < 60)
        return std::to_string(whole) + " s";
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

bool countsSamples(const std::string& stage)
{
    return stage == "calibrate" || stage == "compare outputs";
}

} // namespace

void ProgressRate::note(const Progress& progress, Clock::time_point now)
{
    const bool isNew = progress.stage != m_last.stage || progress.total != m_last.total || progress.done < m_last.done;
    if (isNew || m_start == Clock::time_point()) {
        m_start = now;
        m_first = progress.done;
    }
    m_last = progress;
    m_elapsed = now - m_start;
}

std::optional<double> ProgressRate::perSecond() const
{
    const std::int64_t steps = m_last.done - m_first;
    if (steps < 2 || m_elapsed.count() < 0.5)
        return std::nullopt;
    return static_cast<double>(steps) / m_elapsed.count();
}

std::optional<double> ProgressRate::secondsLeft() const
{
    const auto rate = perSecond();
    if (!rate || m_last.total <= 0)
        return std::nullopt;
    return static_cast<double>(m_last.total - m_last.done) / *rate;
}

std::string ProgressRate::text() const
{
    const auto rate = perSecond();
    const auto left = secondsLeft();
    std::string text;
    if (rate && countsSamples(m_last.stage))
        text = rateText(*rate) + " samples/s";
    if (left && *left > 0)
        text += (text.empty() ? "" : ", ") + durationText(*left) + " left";
    return text;
}

} // namespace duo
