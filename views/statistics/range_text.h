// SPDX-License-Identifier: Apache-2.0
// Ranges, scales and errors as people read them, the same in every part of the statistics pane.
#pragma once

#include "core/report/forecast.h"

#include <QString>

#include <optional>

namespace duo::ui {

QString numberText(double number); // as report/inspect_report says it
QString shareText(double share); // two digits: "0.12 %"; "0" for none
QString decibelText(const std::optional<double>& sqnrDb); // "31.2 dB"; "–" where there is no noise
QString scaleText(const QuantizationParameters& parameters); // "0.0123", "0.0012 … 0.0123" per channel
QString zeroPointText(const QuantizationParameters& parameters);

/// "uint8 asymmetric": what stands on the value; "no quantizer" where none does.
QString quantizerText(const ValueFacts& facts);

/// "12 of 640 are NaN or infinite, first in sample 3"; "" for none.
QString nonFiniteText(const ValueStatistics& statistics);

/// What there is to say where there is no histogram; "" where there is one.
QString noHistogramText(const ValueStatistics& statistics);

/// Everything a screen reader should say of a histogram.
QString histogramDescription(const ValueFacts& facts);

/// What the recipe comes to: "Foreseen: 31.2 dB at the worst output, size about 31.0 kB of 95.1 kB". With `before`,
/// what it was: "31.2 dB (was 29.0)".
QString forecastSummary(const Forecast& forecast, const std::optional<double>& before);

} // namespace duo::ui
