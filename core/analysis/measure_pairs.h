// SPDX-License-Identifier: Apache-2.0
// measurePairs: runs two models on the same samples and sums up how far their values are apart.
#pragma once

#include "core/analysis/correspondence.h"
#include "core/analysis/predictions.h"
#include "core/analysis/signal_error.h"
#include "core/calibrate/samples/dataset.h"
#include "core/calibrate/step_counter.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace duo {

struct SessionPair {
    const Session& a;
    const Session& b;
};

/// One pair of values over all samples.
struct PairError {
    SignalError error;
    bool sameShape = true; // else `error` lacks the samples where shapes differ
    std::optional<Predictions> equal{}; // of whole numbers and truth values: what decides, not the error
};

PairError pairError(const TensorView& a, const TensorView& b);
/// Sums of the errors that `errorsOf` gives of every sample, for `values` values each, added in sample order: they do
/// not depend on `threads`, from which it is called.
Result<std::vector<PairError>> errorsOverSamples(const Dataset& dataset, std::size_t values, int threads,
    const std::function<Result<std::vector<PairError>>(std::int64_t sample)>& errorsOf, const JobContext& job,
    StepCounter& counter);

/// Sees both tensors of pair `index`; called from several threads, for one sample from one thread.
using PairVisitor
    = std::function<Status(std::int64_t sample, std::size_t index, const TensorView& a, const TensorView& b)>;

/// Errors of `pairs` over all samples; they do not depend on `threads`. A's values of one sample are held while B runs.
/// @return EngineFailed, BadData, Cancelled; an error of `visit` (which may be empty)
Result<std::vector<PairError>> measurePairs(const SessionPair& sessions, std::span<const NamePair> pairs,
    const Dataset& dataset, int threads, const PairVisitor& visit, const JobContext& job, StepCounter& counter);

} // namespace duo
