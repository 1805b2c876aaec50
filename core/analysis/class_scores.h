// SPDX-License-Identifier: Apache-2.0
// Class scores: what the model itself tells of an output: that its last axis is one of classes.
#pragma once

#include "core/model/model.h"

namespace duo {

/// The graph computes a distribution or a choice from the output's last axis (Softmax, ArgMax, ZipMap), also behind
/// Identity and Cast, or the file's metadata name as many labels as that axis has entries. False: not known.
/// O(readers of the output).
bool isToldAsClassScores(const Model& model, ValueId output);

} // namespace duo
