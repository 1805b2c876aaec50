// SPDX-License-Identifier: Apache-2.0
// makeForecast: what a snapshot's recipe comes to under statistics measured before. Reads no data.
#pragma once

#include "core/model/model.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/points/parameters.h"
#include "core/quantize/points/weight_error.h"
#include "core/report/forecast.h"
#include "core/state/statistics_file.h"
#include "core/support/job.h"

#include <map>
#include <memory>
#include <utility>

namespace duo {

/// What quantization does to the weights; kept from one forecast to the next, weights are read once.
struct WeightErrors {
    struct Error {
        QuantizationParameters parameters;
        WeightError error;
        std::int64_t elements = 0;
    };
    std::shared_ptr<const Model> model;
    std::map<PointId, Error> errors; // of weight points
    std::map<std::pair<NodeId, std::uint32_t>, PointId> points; // by port
};

struct MadeForecast {
    std::shared_ptr<const Forecast> forecast;
    std::shared_ptr<const WeightErrors> weights; // for the next one
};

/// The error of the outputs is left open: withErrors() measures it.
/// @param known of an earlier forecast; may be null
/// @return BadData naming a value the statistics do not hold; InvalidRule, Cancelled, the snapshot's refusal
Result<MadeForecast> makeForecast(const Snapshot& snapshot, const Statistics& statistics, const WeightErrors* known,
    int threads, const JobContext& job);

/// Where a value may be quantized.
struct ValueSpot {
    ValueId value;
    std::optional<PointId> point; // the quantizer there
    bool isConstant = false; // a tensor of the model
};

/// What a node reads and gives that has or could have a histogram: float values that were measured, and constants.
/// In the order of its ports, inputs first; each value once.
std::vector<ValueSpot> spotsOf(const Snapshot& snapshot, const Statistics& statistics, NodeId node);

/// The spot of a value by its name: with the quantizer on it, or the first one a reader has there. Nothing if the model
/// has no such value.
std::optional<ValueSpot> spotOf(const Snapshot& snapshot, std::string_view value);

/// What every estimator would make of a value. O(bins) with a large factor: the searches try some hundred ranges.
/// @return BadData where nothing was measured of it; MalformedModel for a constant that cannot be read
Result<ValueFacts> factsOf(
    const Snapshot& snapshot, const Statistics& statistics, const Forecast& forecast, const ValueSpot& spot);

} // namespace duo
