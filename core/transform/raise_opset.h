// SPDX-License-Identifier: Apache-2.0
// Opset conversion: what turns a model of an older opset of ai.onnx into one of the oldest that quantizes per channel.
#pragma once

#include "core/transform/pass.h"

#include <string_view>

namespace duo {

/// The first opset whose QuantizeLinear and DequantizeLinear have an axis.
inline constexpr std::int64_t kPerChannelOpset = 13;

// Kinds of the notes about it.
inline constexpr std::string_view kOpsetRaised = "opset-raised";
inline constexpr std::string_view kOpsetKept = "opset-kept";

/// The opset of ai.onnx a model is written in: what it imports, or 1 where its IR version knew no imports yet; 0 if it
/// does not say.
std::int64_t writtenOpset(const Model& model);

/// The edits that turn a model below kPerChannelOpset into one of that opset which computes the same; all of them or
/// none, with one note: from what, and what was rewritten; or the node that has no conversion, and why. Nodes keep
/// their names; the few that are added are named after the one they serve. Nothing for models at it or above, and for
/// those that name no opset. O(nodes).
PassResult raiseOpset(const Model& model);

} // namespace duo
