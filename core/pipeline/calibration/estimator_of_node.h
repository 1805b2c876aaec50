// SPDX-License-Identifier: Apache-2.0
// EstimatorOfNode: which range estimator holds where; the general one where no rule catches.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"

#include <optional>
#include <vector>

namespace duo {

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

/// The named set (range_estimator.h) that says the same; "" for none.
std::string_view rangeEstimatorSetOf(const RangeEstimatorParameters& complete);

} // namespace duo
