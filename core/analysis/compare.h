// SPDX-License-Identifier: Apache-2.0
// Comparison: how far two models are apart on some data: values, sizes, latency and, with labels, accuracy.
#pragma once

#include "core/analysis/latency.h"
#include "core/analysis/top1.h"
#include "core/calibrate/samples/dataset.h"
#include "core/calibrate/samples/labels_beside.h"

#include <optional>
#include <string>
#include <vector>

namespace duo {

struct CompareOptions {
    std::string labels; // array of the dataset with class numbers; "": none
    std::optional<double> minSqnrDb; // each output must reach it
    int threads = 1;
    FoundLabels found = {}; // where `labels` names none
};

/// One value of both models over all samples. Nothing stands for "not finite".
struct ValueDifference {
    std::string name; // in A
    std::optional<double> sqnrDb; // A is the signal; nothing of whole numbers too
    std::optional<double> cosine;
    std::optional<double> maxAbs;
    bool identical = false;
    std::int64_t nonFinite = 0; // elements that are not finite in A or in B
    std::optional<double> equal{}; // share of elements, of whole numbers and truth values
};

struct Comparison {
    std::vector<ValueDifference> outputs; // in A's order
    std::vector<ValueDifference> values; // inner values both models compute under one name, in A's node order
    std::int64_t bytesA = 0; // model file and external data
    std::int64_t bytesB = 0;
    std::optional<Latency> latency; // nothing if the models could not be fed alike
    std::optional<Top1> top1; // with labels
    std::int64_t samples = 0;
    std::vector<std::string> findings; // what makes the comparison fail, as sentences
    std::vector<Note> notes;
};

/// Runs both on all samples (opened for A). Outputs and latency come from the models as they are, inner values from
/// runs that fetch them, which keeps the engine from fusing across them, on at most 32 samples (a note says so). Where
/// both hold the same infinity or NaN in the same place of an inner value (an attention mask), that is a note,
/// elsewhere a finding. Only latency depends on the machine's speed, nothing on `threads`.
/// @return BadData (no samples, labels that do not fit), EngineFailed, Cancelled
Result<Comparison> compareModels(
    const Model& a, const Model& b, const Dataset& dataset, const CompareOptions& options, const JobContext& job = {});

} // namespace duo
