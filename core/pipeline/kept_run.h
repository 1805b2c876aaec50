// SPDX-License-Identifier: Apache-2.0
// KeptRun: one quantization of a model: what it was made with and what came of it, as a value and as the text of a file
// (resources/docs/session.md, "Runs"). Its quantizers are in a compression state beside it.
#pragma once

#include "core/pipeline/session_file.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/state/setup_difference.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

struct KeptCheck {
    std::string id;
    bool ok = false;
    std::string message;
    bool operator==(const KeptCheck&) const = default;
};

struct KeptRun {
    ResultKind kind = ResultKind::Quantization; // or Export: the rest is known of these alone
    std::string date; // of its end, "2026-11-22T14:05:00.250Z"; no two runs of a model have the same
    ResultOrigin of;
    Recipe recipe;
    double seconds = 0; // that it took, all together
    std::int64_t quantizers = 0;
    std::int64_t samples = 0; // measured on
    std::string target; // name of the file, without folders
    std::int64_t bytesBefore = 0;
    std::int64_t bytesAfter = 0;
    std::string verdict; // "accepted"
    std::string why; // its sentence
    std::string worst; // "31.8 dB at 'logits'"
    std::optional<double> floatMs; // of a run of the float model; nothing: not measured
    std::optional<double> quantizedMs;
    std::vector<KeptCheck> checks;
    bool operator==(const KeptRun&) const = default;
};

/// @param snapshot that the compression was made from
KeptRun runOf(const Compression& compression, const Recipe& recipe, const ResultOrigin& of, double seconds);
/// An export of it.
KeptRun runOf(const Compression& compression, const ExportReport& report, const Recipe& recipe, const ResultOrigin& of,
    double seconds);

/// What is longer is not read.
inline constexpr std::size_t kLongestRun = std::size_t{8} << 20; // bytes

/// Two-space indent, final line break; text that is no UTF-8 is replaced.
std::string runText(const KeptRun& run);
/// Keys that are not known are passed over. @return BadData: what is wrong, `name` with the key
Result<KeptRun> parseRun(std::string_view text, const std::string& name);

/// "7 of 8"; "" of a run that was not exported.
std::string checksText(const KeptRun& run);
/// "1.2 MB, 3.80 x smaller"; "" of a run that was not exported.
std::string sizeText(const KeptRun& run);
/// "4.1 ms (float 8.3)"; "" where it was not measured.
std::string timeText(const KeptRun& run);

/// What came of the two where it is not the same: verdict, size, error, time, checks, each check that only one passed.
std::vector<TextDifference> differencesOf(const KeptRun& first, const KeptRun& second);

} // namespace duo
