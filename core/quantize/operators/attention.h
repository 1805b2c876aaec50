// SPDX-License-Identifier: Apache-2.0
// Attention: how much of a model is a transformer, told by what its nodes compute, not by their names.
#pragma once

#include "core/model/model.h"

namespace duo {

struct TransformerSigns {
    std::size_t attentions = 0; // products of two activations on both sides of a Softmax, or one operator for all of it
    std::size_t norms = 0; // layer norms and RMS norms, as one operator or as its parts
    std::size_t products = 0; // with weights
    std::size_t convolutions = 0;

    /// Attention, at least a norm for each, and products that outweigh convolutions: a convolutional network with some
    /// attention in it (a detector, a text recogniser) is none.
    [[nodiscard]] bool isTransformer() const;
};

/// Of the main graph. O(nodes + uses), a few steps around each Softmax.
TransformerSigns transformerSigns(const Model& model);

} // namespace duo
