// SPDX-License-Identifier: Apache-2.0
// collectStatistics: measures values of a model on the embedded engine.
#pragma once

#include "core/calibrate/measure/statistics.h"
#include "core/calibrate/samples/dataset.h"
#include "core/support/job.h"

#include <map>
#include <string>
#include <vector>

namespace duo {

/// What to measure.
struct Measurement {
    std::vector<std::string> values; // float32 values of the main graph: inputs and what nodes compute
    std::map<std::string, std::int64_t> channelAxes; // of those where channels matter; negative: from the end
    MeasureKinds kinds;
    bool untilConverged = false; // stop where more samples change no scale (convergence.h)
    bool fetch = false; // take values out of the engine instead of measuring inside, which is slower
};

/// Runs samples `span` (cut to the dataset's size) through the model. Values are measured where the engine computes
/// them; where it cannot (a remark says why) they are fetched. Streaming: memory grows by six floats per value and
/// sample. The result does not depend on `threads`. Where values are too many to fetch at once, all samples are taken.
/// @return EngineFailed, BadData (no samples), Unsupported (not float32), Cancelled
Result<Statistics> collectStatistics(const Model& model, const Measurement& wanted, const Dataset& dataset,
    SampleSpan span, int threads, const JobContext& job);

} // namespace duo
