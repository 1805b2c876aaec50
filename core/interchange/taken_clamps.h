// SPDX-License-Identifier: Apache-2.0
// Clamps that a quantizer does the work of: tools drop a Relu before codes that begin at zero.
#pragma once

#include "core/model/clamp_range.h"
#include "core/model/model.h"

#include <cstdint>
#include <optional>

namespace duo {

/// What a quantizer lets pass that clamps what nothing before it does: [0, inf), or [0, 6] where its codes end there.
/// Nothing where it is not needed: the value cannot be negative anyway, or the codes begin below zero. Nothing where
/// the name of the value is that of its own node or of another operator ("/GlobalAveragePool_output_0"); that of a
/// clamp is proof that one stood there. Where names say nothing, nothing in exports of this program, which keep their
/// clamps, and of a constant, of what enters the model and of what Where gives, moved at most. Of operators on codes
/// names say nothing: nothing of pooling and Where.
/// @param scale, zeroPoint ports of the node, whose scales are constants; `codes` the type where the node has no zero
/// point
std::optional<ClampRange> takenClamp(
    const Model& model, const Node& node, std::uint32_t scale, std::uint32_t zeroPoint, ElementType codes);

} // namespace duo
