// SPDX-License-Identifier: Apache-2.0
// Operators on codes, as one table: where codes, scales and zero points stand, and what the node computes in float.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace duo {

/// Ports of a value in codes.
struct CodePort {
    std::uint32_t value = 0;
    std::uint32_t scale = 0;
    std::uint32_t zeroPoint = 0; // may be omitted by the node
};

/// A node that computes on codes and is told their scales (QLinearConv, com.microsoft's QGemm).
struct CodeOperator {
    std::string_view floatType; // of ONNX's own: "Conv"
    std::vector<CodePort> inputs{}; // in the order of the float operator's
    std::optional<std::uint32_t> resultScale{}; // its zero point stands behind it; nothing: the result is in float
    std::optional<std::uint32_t> plain{}; // an input that is no code and stands first in float too: Where's condition
    std::optional<std::uint32_t> bias{}; // int32, its scale that of data times weight
};

/// Nothing for other nodes, for one without a result, and for a form that no float operator of ONNX computes alike
/// (channels at the end, shapes coerced).
std::optional<CodeOperator> codeOperator(const Node& node);

/// What tells which numbers the codes stand for that a node reads.
struct CodeFacts {
    std::optional<std::uint32_t> scale; // nothing: another node scales the product
    std::optional<std::uint32_t> zeroPoint; // nothing: 0
    std::int64_t axis = -1; // of several scales, where no attribute names it
    std::optional<std::uint32_t> otherScale; // to be multiplied in: of the data, for a bias
};

/// At DequantizeLinear and at operators on codes, dynamic ones included; nothing for other nodes and ports.
std::optional<CodeFacts> codeFactsAt(const Node& node, std::uint32_t port);

/// Whether it gives codes as it reads them, in another place (MaxPool, Resize with mode nearest).
bool movesCodes(const Node& node);

} // namespace duo
