// SPDX-License-Identifier: Apache-2.0
// WeightErrors: what quantization does to the weights; kept from one forecast to the next, weights are read once.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/parameters.h"
#include "core/quantize/points/weight_error.h"
#include "core/support/job.h"

#include <map>
#include <memory>
#include <utility>

namespace duo {

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

/// Reads what `known` (may be null) does not hold already for the same model, port and parameters.
/// @return MalformedModel, Cancelled
Result<std::shared_ptr<const WeightErrors>> weightErrors(const std::shared_ptr<const Model>& model,
    const QuantizerSetup& setup, const ParametersByPoint& parameters, const WeightErrors* known, int threads,
    const JobContext& job);

} // namespace duo
