// SPDX-License-Identifier: Apache-2.0
// ExportDemands: what the user wants of an export besides its being written.
#pragma once

#include <optional>
#include <string>

namespace duo {

/// What decides of an export instead of output errors; both empty for most.
struct VerdictOptions {
    std::string labels = {}; // array of the data with class numbers
    std::string metricCommand = {}; // run for both models; goes before labels
    double maxDrop = 0.01; // of accuracy; of a metric as a share of the float model's
    bool hasClassScores = false; // outputs whose shape fits hold class scores: agreement is asked for
    [[nodiscard]] bool any() const { return !labels.empty() || !metricCommand.empty(); }
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

} // namespace duo
