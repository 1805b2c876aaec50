// SPDX-License-Identifier: Apache-2.0
// Notes on a placement: what about the whole model limits quantization, and what precision rules come to.
#pragma once

#include "core/quantize/operators/float_scope.h"
#include "core/quantize/operators/op_graph.h"
#include "core/quantize/placement.h"
#include "core/quantize/read_bits.h"
#include "core/rules/match.h"

#include <optional>
#include <vector>

namespace duo {

/// Adds: every node that gives random numbers; then, at most one note of a kind: what became of an opset below 13,
/// values that are not float32, parts that are quantized already.
void addPlacementNotes(const Model& model, const OpGraph& graph, std::vector<Note>& notes);

/// Adds what stays in float for what its constants hold: masks and infinities, fixed transforms. One note of each.
void addFloatNotes(const Model& model, const OpGraph& graph, const FusedGraph& fused, const FloatScope& scope,
    std::vector<Note>& notes);

/// How many nodes precision rules catch, and what happens where other bits meet; nothing without such rules.
std::optional<Note> precisionNote(const Model& model, const RuleHits& hits, const std::vector<ReadBits>& bits);

/// "0 of 689 nodes can be quantized: 680 run inside If bodies, 9 compute in float", most of them first; nothing where
/// some node is quantized, or there is none. O(nodes).
std::optional<Note> nothingQuantizedNote(const Model& model, const Decisions& decisions);

/// The same in the place of what a placement says of it, whose decisions are others by now.
void renewNothingQuantized(const Model& model, Placement& placement);

} // namespace duo
