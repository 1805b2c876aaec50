// SPDX-License-Identifier: Apache-2.0
// Forecast: what a recipe would come to: every quantizer's range and noise and about the size from statistics alone,
// the size and the error of the outputs from an export on trial, because noise of single quantizers does not add up.
#pragma once

#include "core/calibrate/estimate/range_choices.h"
#include "core/model/model.h"
#include "core/quantize/points/parameters.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace duo {

/// A range, the codes it gives, and how well they fit what was measured.
struct RangeOutcome {
    std::string estimator; // name of a set (range_estimator.h); "": other parameters, or a weight
    Range range; // as estimated, before zero is put on a code
    bool fromHistogram = false; // EstimatedRange
    QuantizationParameters parameters; // one scale, of a weight one per channel
    Range ends; // real values of the lowest and the highest code; of a weight over all channels
    RangeFit fit;
};

/// One quantizer of the setup.
struct QuantizerForecast {
    PointId point = 0;
    std::string value; // what is quantized; of a weight the tensor it comes from
    std::string place; // "node 'x'", "input 'x'"
    bool isWeight = false;
    std::optional<std::size_t> rule; // of rangeEstimatorRules, that chose the estimator
    RangeOutcome outcome;
};

struct OutputForecast {
    std::string name;
    std::optional<double> sqnrDb; // nothing: no noise reaches it, it is not finite, or holds whole numbers
    bool isIdentical = false;
    bool isCompared = true; // false: the float model's own result is NaN, or no tensor of numbers
    std::optional<double> equal{}; // share of elements, where it holds whole numbers: there are no decibels then
};

/// Bytes with external data.
struct ForeseenSize {
    std::int64_t before = 0; // of the model's file
    std::int64_t after = 0; // about
    bool isBeforeHalving = false; // floats will take 16 bits where they fit; after is with 32
    bool operator==(const ForeseenSize&) const = default;
};

struct Forecast {
    std::int64_t samples = 0;
    std::vector<QuantizerForecast> quantizers; // by point
    std::vector<OutputForecast> outputs; // of the model, in order; empty: not known
    std::int64_t outputSamples = 0; // that they were compared on
    std::string whyNoError; // where it is not known: "it takes samples"
    ForeseenSize size;
    std::vector<Note> notes;

    [[nodiscard]] const QuantizerForecast* at(PointId point) const; // null: there is none. O(log quantizers)
    /// Of the outputs that are compared the one that is worst off: not finite first, then by decibels or by the share
    /// that is equal, as a verdict ranks them. Null where none is compared, and where all are identical.
    [[nodiscard]] const OutputForecast* worstOutput() const;
    [[nodiscard]] std::optional<double> worstSqnrDb() const; // its decibels
};

/// What is known of one value: its statistics, and what every estimator would make of it.
struct ValueFacts {
    std::string value;
    std::optional<PointId> point; // the quantizer on it
    bool isWeight = false;
    QuantizerConfig config; // of the quantizer, else of what it would get
    std::shared_ptr<const ValueStatistics> statistics;
    std::vector<RangeOutcome> choices; // every named set; empty for weights and where nothing finite was measured
    std::optional<RangeOutcome> used; // what the quantizer has
    std::size_t sharedWith = 0; // other quantizers with the same scale
    std::optional<std::size_t> rule; // of rangeEstimatorRules, that chose the estimator
};

} // namespace duo
