// SPDX-License-Identifier: Apache-2.0
// Scales that another tool gave a weight, where a node of the model reads it.
#pragma once

#include "core/interchange/foreign_encodings.h"
#include "core/model/model.h"
#include "core/quantize/points/parameters.h"
#include "core/support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace duo {

struct ForeignWeight {
    std::optional<QuantizationParameters> parameters; // nothing where they fit nowhere, or cannot be written
    std::string misfit; // why
};

/// Channels lie along the file's axis where the node reads the tensor as it is stored, along the operator's otherwise,
/// else along the only axis of that size; blocks of a matrix that lies the other way round in the file are turned.
/// @param point of a weight. @return the errors of readWeight. O(scales), and of a weight that is rearranged
/// O(elements)
Result<ForeignWeight> foreignWeight(const Model& model, const ForeignEncoding& entry, const QuantizationPoint& point);

/// Whether a quantizer is for a node; also where it is not told whom it is for, or none of those is in the model.
bool isFor(const Model& model, NodeId node, const std::vector<std::string>& readers);

/// A weight's point for those of its readers that the file has it quantized for.
QuantizationPoint forReaders(const Model& model, QuantizationPoint point, const std::vector<std::string>& readers);

} // namespace duo
