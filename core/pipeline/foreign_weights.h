// SPDX-License-Identifier: Apache-2.0
// Scales that another tool gave a weight, where a node of the model reads it.
#pragma once

#include "core/interchange/foreign_encodings.h"
#include "core/model/model.h"
#include "core/quantize/points/parameters.h"
#include "core/support/result.h"

#include <optional>
#include <set>
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

/// The nodes of these names that the model has.
std::set<NodeId> readersIn(const Model& model, const std::vector<std::string>& names);

/// Whether a quantizer is for a node. @param readers that it is for; none: it is not told, or none is in the model
bool isFor(NodeId node, const std::set<NodeId>& readers);

/// A weight's point for those of its readers that the file has it quantized for.
QuantizationPoint forReaders(const Model& model, const QuantizationPoint& point, const std::set<NodeId>& readers);

} // namespace duo
