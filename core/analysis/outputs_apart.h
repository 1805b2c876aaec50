// SPDX-License-Identifier: Apache-2.0
// OutputsApart: how far the outputs of two models are apart over some samples, as errors and as predictions.
#pragma once

#include "core/analysis/chosen_numbers.h"
#include "core/analysis/detections.h"
#include "core/analysis/measure_pairs.h"
#include "core/analysis/predictions.h"
#include "core/analysis/sample_glimpses.h"

#include <optional>
#include <vector>

namespace duo {

struct OutputApart {
    SignalError error; // without elements that are NaN in A
    std::int64_t elements = 0; // that were compared
    bool isCompared = false; // in a sample at least
    std::int64_t nans = 0; // elements that are NaN in A
    std::int64_t otherShapes = 0; // samples in which A and B differ in shape: nothing is compared there
    bool isNumeric = true; // else a sequence, a map or texts, which are not compared
    bool isDiscrete = false; // whole numbers or truth values: `predictions` counts elements, not rows
    bool hasPredictions = true; // it may hold class scores, or is discrete, in all that were compared
    Predictions predictions;
    std::vector<Glimpse> samples; // one for each compared sample, where it is in decibels

    /// The error in decibels says something: of whole numbers it does not.
    [[nodiscard]] bool isInDecibels() const { return isCompared && otherShapes == 0 && !isDiscrete; }
    /// What is counted, of all samples.
    [[nodiscard]] Predictions answers() const { return asRead(predictions); }
    /// The share of answers that are the same; nothing where there are none.
    [[nodiscard]] std::optional<double> agreement() const;
};

struct OutputsApart {
    std::vector<OutputApart> outputs; // in A's order
};

/// What the graph tells of the answers in an output.
struct AnswerForm {
    std::optional<ScoreRows> scoreRows = {}; // of a detector: detections are counted instead of rows
    bool isChosen = false; // elements are counted where its rows are not known to be class scores
};

AnswerForm answerFormOf(const Model& model, ValueId output); // O(nodes)

/// Of one sample.
OutputApart apartIn(const TensorView& a, const TensorView& b, const AnswerForm& form = {});
/// Adds another sample. Sums depend on the order: samples are added in theirs.
void addInPlace(OutputsApart& all, const OutputsApart& next);
/// The share of predictions that agree: the smallest of all outputs of whole numbers, and of those that are known to
/// hold class scores; where there are neither, of those that may. Nothing if there are none.
std::optional<double> agreementOf(const OutputsApart& apart);

/// Of each of so many samples that were added, the noise in the signal, summed over outputs in decibels that were
/// compared in all of them; 0 where there is none.
std::vector<double> noiseBySample(const OutputsApart& apart, std::size_t samples);

/// Outputs go by A's names, and what they hold is asked of `model`; those that are no tensors of numbers are not asked
/// for. Nothing depends on `threads`.
/// @return EngineFailed, BadData, Cancelled
Result<OutputsApart> outputsApart(
    const SessionPair& sessions, const Model& model, const Dataset& dataset, int threads, const JobContext& job);

} // namespace duo
