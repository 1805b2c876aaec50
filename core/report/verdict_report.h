// SPDX-License-Identifier: Apache-2.0
// A verdict as JSON and as lines of text; window and command line say the same.
#pragma once

#include "core/analysis/verdict.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Kind of the note of a verdict that says what to do about it.
inline constexpr std::string_view kWayOut = "way-out";

nlohmann::ordered_json verdictJson(const Verdict& verdict);

/// "accepted: 1.92 x faster than float and 3.80 x smaller; output 'y': 31.8 dB".
std::string verdictHeadline(const Verdict& verdict);
/// "'encoder.0' and 'head' together": what is suggested to keep in float, of many the first;
/// "" where nothing is.
std::string suggestionText(const Verdict& verdict);
/// What to do, and what it rests on: times, samples, outputs that are not good, where the error starts.
std::vector<std::string> verdictLines(const Verdict& verdict);

} // namespace duo
