// SPDX-License-Identifier: Apache-2.0
// Statistics as a file: a safetensors file, so other tools can read the arrays, with a digest over its content.
#pragma once

#include "core/calibrate/measure/statistics.h"
#include "core/state/model_hash.h"
#include "core/support/job.h"

#include <filesystem>

namespace duo {

/// What statistics were taken of: merging and reusing them asks for the same.
struct StatisticsOrigin {
    ModelHashes model;
    std::string data; // digest of the data, see dataDigest
    std::string engine; // "onnxruntime 1.30.0"
    std::int64_t samplesInData = 0; // of all shards
    bool untilConverged = false; // fewer are measured where more change no scale
    bool operator==(const StatisticsOrigin&) const = default;
};

struct StatisticsFile {
    StatisticsOrigin origin;
    Statistics statistics;
};

/// The file's bytes; the same statistics give the same bytes. Layout: 8 bytes length of the header, little-endian; the
/// header, JSON as safetensors has it; the arrays. `__metadata__` holds format, version, origin, spans and kinds, and
/// `digest` of all arrays; per value V there are the tensors
///   V/totals         I64 [6]    elements, NaN, infinite, first sample not finite, channel axis, channels vary
///   V/extremes       F32 [2]
///   V/sums           U64 [2,10] sum and sum of squares, integers of 640 bits in units of 2^-300, lowest word first
///   V/samples        F32 [3,S]  min, max, mean; [6,S] with quantiles: low, high, magnitude
///   V/bins           I64 [B,2]  bin and count (LogHistogram)
///   V/channels       F32 [2,C]  min, max
///   V/channel_sums   U64 [2,C,4] sum and sum of squares, integers of 256 bits in units of 2^-96
///   V/channel_counts I64 [C]
std::vector<std::byte> statisticsBytes(const StatisticsFile& file);

/// "xxh3-128:..." of these bytes.
std::string statisticsDigest(std::span<const std::byte> bytes);

/// @return BadData naming `name` and what is wrong: not such a file, cut off, changed, or numbers that cannot be;
/// Cancelled
Result<StatisticsFile> parseStatistics(
    std::span<const std::byte> bytes, const std::string& name, const JobContext& job = {});

Status writeStatistics(const StatisticsFile& file, const std::filesystem::path& path);
Result<StatisticsFile> readStatistics(const std::filesystem::path& path, const JobContext& job = {});

/// The statistics of all files together. @return BadData naming the file that is of another model or other data
Result<StatisticsFile> mergedStatisticsFiles(
    std::vector<StatisticsFile> files, const std::vector<std::filesystem::path>& names);

} // namespace duo
