// SPDX-License-Identifier: Apache-2.0
// Fallback: why ONNX Runtime's CPU provider computes a node in float although quantizers stand around it. The table was
// measured on ONNX Runtime 1.32 (resources/docs/runtime.md, "Fusion table") and is checked against it by tests.
#pragma once

#include "core/model/model.h"
#include "core/quantize/points/kept_float.h"
#include "core/transform/known_ranks.h"

#include <string_view>

namespace duo {

/// Stable, for programs: "clamp-not-implied".
std::string_view fallbackName(Fallback fallback);

/// What keeps a node of a written model from an int8 kernel, supposing that it has none; reads the quantizers around
/// it. @param ranks of the written model. O(its inputs and the chain of Relu and Clip behind it).
Fallback fallbackOf(const Model& written, const KnownRanks& ranks, NodeId node);

} // namespace duo
