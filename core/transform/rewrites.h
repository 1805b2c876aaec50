// SPDX-License-Identifier: Apache-2.0
// The rewrites of operators whose form changed between opsets 1 and 13. Each turns any older form that
// operator_table.cpp lets through into that of opset 13, or refuses. The facts are those of ONNX's Operators.md and
// Changelog.md; how an old form computes where these do not say is measured in ONNX Runtime (opsets 7 and up).
#pragma once

#include "core/transform/node_rewrite.h"

namespace duo {

// Attributes that became inputs, changed their type or lost their meaning
void axesBecomeInput(NodeRewrite& rewrite); // ReduceSum, Squeeze (none: all), Unsqueeze
void sizesBecomeInput(NodeRewrite& rewrite); // Split
void boundsBecomeInputs(NodeRewrite& rewrite); // Clip
void limitsBecomeInputs(NodeRewrite& rewrite); // Slice
void paddingBecomesInput(NodeRewrite& rewrite); // Pad
void countBecomesInput(NodeRewrite& rewrite); // TopK
void shapeBecomesInput(NodeRewrite& rewrite); // Reshape
void typeBecomesNumber(NodeRewrite& rewrite); // Cast
void axisBecomesRequired(NodeRewrite& rewrite); // Concat
void powerBecomesInteger(NodeRewrite& rewrite); // LpPool, GlobalLpPool
void defaultsBecomeExact(NodeRewrite& rewrite); // Selu
void sequenceBecomesOptional(NodeRewrite& rewrite); // LSTM, GRU, RNN
void trainingFormEnds(NodeRewrite& rewrite); // BatchNormalization
void ratioEnds(NodeRewrite& rewrite); // Dropout
void nameChanges(NodeRewrite& rewrite); // Scatter

// Broadcasting that was asked for and aligned by attributes
void broadcastBecomesImplicit(NodeRewrite& rewrite); // Add and others of two inputs
void summandBroadcasts(NodeRewrite& rewrite); // Gemm
void slopeBroadcasts(NodeRewrite& rewrite); // PRelu

// Shapes that were coerced into two dimensions
void axisBecomesOne(NodeRewrite& rewrite); // Softmax, LogSoftmax, Hardmax

// Coordinates that were not said
void upsampleBecomesResize(NodeRewrite& rewrite);
void coordinatesAreSaid(NodeRewrite& rewrite); // Resize

} // namespace duo
