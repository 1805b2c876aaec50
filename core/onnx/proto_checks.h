// SPDX-License-Identifier: Apache-2.0
// What the reader refuses before it builds anything: names that nothing could call its own.
#pragma once

#include "core/support/result.h"

#include <onnx.pb.h>

#include <cstddef>

namespace duo {

/// Of a name: those that tools join of many reach some 10,000.
inline constexpr std::size_t kMostNameBytes = std::size_t{1} << 17U;

/// Part of what a model promises (resources/docs/architecture.md, "What a Model promises").
/// Holds for graph, bodies and functions, called or not: nodes have an operator type, attributes, inputs and outputs of
/// graphs and functions, and initializers have names; all these names, and those of nodes and values, are UTF-8 of at
/// most kMostNameBytes; no node is of a domain that this program keeps for itself while the engine runs. O(size).
/// @return MalformedModel, or Unsupported for such a name or domain, naming the thing at fault
Status checkNames(const onnx::ModelProto& model);

} // namespace duo
