// SPDX-License-Identifier: Apache-2.0
// A MatMul and the Add behind it, of which ONNX Runtime makes one Gemm (resources/docs/runtime.md, "Fusion table").
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>

namespace duo {

class KnownRanks;

/// What is added to a product.
struct AddedOperand {
    NodeId add;
    std::uint32_t port = 0; // of the Add: where it reads what is added
};

/// Of a MatMul of ONNX that one Add of ONNX in its graph alone reads; nothing for others.
std::optional<AddedOperand> addedBehind(const Model& model, NodeId product);

enum class GemmFusion {
    No,
    NotTold, // nothing tells how many axes the data have
    Yes, // of a matrix also where sizes are not told
};

/// Whether ONNX Runtime 1.32 makes one Gemm of both (its MatMulAddFusion): the right side is a matrix; the left side is
/// one, too, to which a vector, row, column or matrix of fitting sizes is added, or has other axes of known sizes, and
/// a vector is added. @param ranks for what the file does not tell; null: none
GemmFusion gemmFusion(const Model& model, NodeId product, const AddedOperand& added, const KnownRanks* ranks = nullptr);

} // namespace duo
