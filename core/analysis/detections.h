// SPDX-License-Identifier: Apache-2.0
// Detections: of a detector's output, which rows are class scores, and how often two models find the same there.
#pragma once

#include "core/analysis/predictions.h"
#include "core/model/model.h"

#include <optional>

namespace duo {

/// Scores in 0..1 along an axis of an output, a class each, at every position of the other axes.
struct ScoreRows {
    std::size_t axis = 0;
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// What the graph shows beyond doubt: an output of three axes that joins four coordinates and one Sigmoid of another
/// number of rows (masks or angles may lie beside them), also behind Transpose, Identity and Cast. Nothing: not known.
/// O(nodes) where the file does not tell the sizes.
std::optional<ScoreRows> scoreRowsOf(const Model& model, ValueId output);

/// Positions where one of the models at least is surer than 0.25 of a class, the confidence from which detectors
/// report. Agreeing: both report, and B the class of A or one that A gives as much to within 0.01; or the scores are
/// apart by no more than that. Tensors are float, of one shape, which holds the rows; else nothing.
std::optional<Predictions> detectionsOf(const TensorView& a, const TensorView& b, const ScoreRows& rows);

} // namespace duo
