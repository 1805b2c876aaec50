// SPDX-License-Identifier: Apache-2.0
// SwitchableEdits: an export's edits with every quantizer as a swap in a float model, so that one session computes the
// model with any of them on or off.
#pragma once

#include "core/quantize/edits/qdq_edits.h"

#include <cstdint>
#include <string>
#include <vector>

namespace duo {

enum class SwitchKind { Activation, Weight, Bias };

/// A quantizer that can be on or off; its swap has its index as number.
struct Switch {
    SwitchKind kind = SwitchKind::Activation;
    std::string value; // what the swap gives: the dequantized value of the export
    std::vector<NodeId> nodes; // compressed nodes it is there for, by the node that decides for them; sorted
    std::vector<std::int64_t> dims; // weight, bias
    QuantizationParameters parameters; // of a bias that stays float: no scales
    std::vector<std::byte> stored; // weight, bias: what the export stores; floats where there are no scales
    bool sharesStorage = false; // with an earlier switch: the constant of another reader
};

struct SwitchableEdits {
    EditList edits;
    std::vector<Switch> switches;
};

/// `qdq`: the edits of an export of `model`. A QuantizeLinear with its DequantizeLinear becomes a swap of the float
/// value; a stored weight or bias becomes a swap of the float one, a batch norm folded in where the export does so.
/// With everything off the model computes what it did before; with everything on, what the export does. O(model +
/// edits).
/// @return Unsupported for scales that are no float32; errors of readWeight
Result<SwitchableEdits> switchableEdits(const Model& model, const Decisions& decisions, QdqEdits qdq);

/// The node that decides for a node computed together with others; itself for all others.
NodeId decidingNode(const Decisions& decisions, NodeId node);

} // namespace duo
