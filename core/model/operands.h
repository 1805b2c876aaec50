// SPDX-License-Identifier: Apache-2.0
// Operands: what operators make of their inputs, as one table: where learned tensors go in, and what only hands on.
#pragma once

#include "core/model/model.h"

#include <cstddef>
#include <cstdint>

namespace duo {

/// What an input is to its operator, as far as it tells whether a constant there was learned; weakest first.
enum class Operand : std::uint8_t {
    Setting, // shapes, axes, indices, limits, scales of a quantizer
    Term, // one side of arithmetic, a table, a part that is joined on, a state: learned or not
    Affine, // scale or shift of a normalization: exporters fill it in where the module has none
    Weight, // kernel, matrix, bias, statistics
};

/// Whether an operator's result is one of its inputs in another form.
enum class Passing : std::uint8_t {
    None,
    Layout, // its first input with another shape, order or type
    Arithmetic, // made of all its inputs; if these are constants, a constant that stands for them
};

/// Inputs of operators that are not in the table: settings for operators of ONNX, terms for those of anybody else.
Operand operandOf(const Node& node, std::size_t port);

Passing passingOf(const Node& node);

} // namespace duo
