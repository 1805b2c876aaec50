// SPDX-License-Identifier: Apache-2.0
// A forecast, and the facts of one value, as JSON and as text.
#pragma once

#include "core/report/forecast.h"

#include <nlohmann/json.hpp>

#include <string>

namespace duo {

/// The member `forecast` of `inspect --statistics` (resources/schemas/inspect.schema.json).
nlohmann::ordered_json forecastJson(const Forecast& forecast);
/// Outputs with their foreseen error, size, then the quantizers with the least SQNR first.
std::string forecastText(const Forecast& forecast);
/// "about 120.7 kB of 461.0 kB", and that floats of 16 bits will make it less.
std::string sizeForeseenText(const ForeseenSize& size);
/// Of the outputs in a few words: "38.2 dB", "98.4 % of the elements equal", "an output that is not finite", "outputs
/// as they were", "no output compared", "error not known: it takes samples".
std::string outputsForeseenText(const Forecast& forecast);

/// The member `value` of `inspect --statistics --value`.
nlohmann::ordered_json valueFactsJson(const ValueFacts& facts);
/// Extremes and moments, then a line per estimator; the chosen one is marked.
std::string valueFactsText(const ValueFacts& facts);

/// The row of `choices` with the parameters in use; the number of choices where none is.
std::size_t chosenRow(const ValueFacts& facts);

/// "uint8 asymmetric", "int8 symmetric, per channel".
std::string codesText(const QuantizerConfig& config, const QuantizationParameters& parameters);

} // namespace duo
