// SPDX-License-Identifier: Apache-2.0
// Ranges of a setup's activations, from statistics and the recipe's estimators.
#pragma once

#include "core/pipeline/calibration/measured_values.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/points/parameters.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace duo {

/// Which range estimator holds where; the general one where no rule catches.
class EstimatorOfNode
{
public:
    /// @return InvalidRule for an estimator that cannot be computed, or a rule of one that cannot be evaluated
    static Result<EstimatorOfNode> of(const Snapshot& snapshot);

    /// Of a point: the last rule that catches its node or one it quantizes for.
    [[nodiscard]] const RangeEstimatorParameters& at(const QuantizationPoint& point) const;
    /// That rule, as an index into rangeEstimatorRules.
    [[nodiscard]] std::optional<std::size_t> ruleAt(const QuantizationPoint& point) const;
    [[nodiscard]] const std::vector<Note>& notes() const { return m_notes; } // rules that catch nothing

private:
    [[nodiscard]] std::size_t indexAt(const QuantizationPoint& point) const;

    std::vector<Note> m_notes;
    std::vector<RangeEstimatorParameters> m_estimators; // the general one, then one per rule
    std::vector<std::size_t> m_ofNode; // index of the estimator
};

struct SetupRanges {
    std::map<std::string, MeasuredRange> byValue; // every name of valuesToMeasure
    std::vector<Note> notes; // what was taken from histograms instead of samples
};

/// Reads no data. @param estimators and measured of the snapshot @return BadData naming a value the statistics do not
/// hold
Result<SetupRanges> rangesOf(
    const Snapshot& snapshot, const EstimatorOfNode& estimators, const MeasuredValues& measured);

/// The recipe's estimator for activations with its defaults: NNCF's (mean of the samples' extremes) where compatible,
/// else the extremes.
RangeEstimatorParameters activationsEstimator(const QuantizationSettings& settings);

} // namespace duo
