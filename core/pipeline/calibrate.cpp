// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/collect_statistics.h"
#include "core/pipeline/compression.h"
#include "core/quantize/points/setup_parameters.h"

#include <algorithm>
#include <numeric>

namespace duo {
namespace {

constexpr std::int64_t kDefaultSamples = 300; // NNCF's subset_size

float meanOf(const std::vector<float>& values)
{
    const double sum = std::accumulate(values.begin(), values.end(), 0.0);
    return static_cast<float>(sum / static_cast<double>(std::max<std::size_t>(values.size(), 1)));
}

/// NNCF takes the mean over samples of each sample's extremes; the extremes themselves otherwise.
Range rangeOf(const ValueStatistics& statistics, bool nncfCompatible)
{
    if (nncfCompatible && statistics.min <= statistics.max)
        return {meanOf(statistics.samples.min), meanOf(statistics.samples.max)};
    return {statistics.min, statistics.max};
}

void noteNonFinite(const Statistics& statistics, std::vector<Note>& notes)
{
    for (const auto& [name, value] : statistics.values) {
        if (value.nonFinite() == 0)
            continue;
        notes.push_back({"non-finite",
            std::to_string(value.nonFinite()) + " elements are NaN or infinite, first in sample "
                + std::to_string(value.firstNonFiniteSample) + "; they were left out of the range",
            name});
    }
}

} // namespace

Result<Compression> calibrate(const Snapshot& snapshot, const Dataset& dataset, int threads, const JobContext& job)
{
    if (!snapshot.placement)
        return snapshot.refusal.value_or(Error{ErrorCode::Internal, "there is no placement", {}, {}});
    const auto& settings = snapshot.recipe.quantization;
    const std::int64_t samples
        = std::min<std::int64_t>(dataset.size(), settings.subsetSize.value_or(static_cast<int>(kDefaultSamples)));
    Compression compression;
    compression.setup = snapshot.placement->setup;
    Measurement wanted;
    wanted.values = valuesToMeasure(*snapshot.model, compression.setup);
    wanted.kinds = {.quantiles = false, .moments = false, .channels = false, .histogram = false};
    DUO_TRY(statistics, collectStatistics(*snapshot.model, wanted, dataset, {0, samples}, threads, job));
    std::map<std::string, Range> ranges;
    for (const auto& [name, value] : statistics.values)
        ranges.emplace(name, rangeOf(value, settings.nncfCompatible));
    DUO_TRY(parameters, setupParameters(*snapshot.model, compression.setup, ranges, settings, threads, job));
    compression.parameters = std::move(parameters);
    compression.samples = statistics.samples();
    compression.engine = "onnxruntime " + engineVersion();
    compression.notes = dataset.notes();
    noteNonFinite(statistics, compression.notes);
    for (const std::string& remark : statistics.remarks)
        compression.notes.push_back({"slower-calibration", remark, {}});
    if (dataset.size() > samples)
        compression.notes.push_back({"subset",
            "the first " + std::to_string(samples) + " of " + std::to_string(dataset.size())
                + " samples were used (subset_size)",
            {}});
    return compression;
}

} // namespace duo
