// SPDX-License-Identifier: Apache-2.0
// ExportDemands: what the user wants of an export besides its being written.
#pragma once

#include "core/calibrate/samples/labels_beside.h"

#include <optional>
#include <string>
#include <vector>

namespace duo {

/// For labels: not even those found with the data.
inline constexpr const char* kNoLabels = "none";

/// What decides of an export instead of output errors; both empty for most.
struct VerdictOptions {
    std::string labels = {}; // array of the data with class numbers; "": those found with it, if any; or kNoLabels
    std::string metricCommand = {}; // run for both models; goes before labels
    double maxDrop = 0.01; // of accuracy; of a metric as a share of the float model's
    bool hasClassScores = false; // outputs whose shape fits hold class scores: agreement is asked for
    FoundLabels found = {}; // where none were named; what they say is no bound
    [[nodiscard]] bool hasNamedLabels() const { return !labels.empty() && labels != kNoLabels; }
    bool operator==(const VerdictOptions&) const = default;
};

/// What the outputs must reach on the samples they are compared on.
struct OutputBounds {
    std::optional<double> minSqnrDb = {}; // of the worst output
    std::optional<double> minAgreement = {}; // predictions that are the same (predictions.h), 0..1
    [[nodiscard]] bool any() const { return minSqnrDb || minAgreement; }
    bool operator==(const OutputBounds&) const = default;
};

struct ExportDemands {
    OutputBounds bounds = {};
    VerdictOptions verdict = {}; // how far labels and a metric may drop is a bound as well
    bool operator==(const ExportDemands&) const = default;
};

/// Arrays of the data that are wanted besides the inputs of the model.
std::vector<std::string> arraysOf(const VerdictOptions& options);

/// With the labels that lie with the data, where they can decide. @param data as openDataset takes it
ExportDemands withLabelsFound(ExportDemands demands, const std::string& data, const Model& model);

} // namespace duo
