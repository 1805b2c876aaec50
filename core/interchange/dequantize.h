// SPDX-License-Identifier: Apache-2.0
// A quantized model back in float: quantizers go, codes become the numbers they stand for, operators on codes become
// those on floats.
#pragma once

#include "core/interchange/found_quantizers.h"
#include "core/support/result.h"
#include "core/transform/edit_list.h"

#include <cstddef>
#include <string>
#include <vector>

namespace duo {

/// A Relu or Clip.
struct AddedClamp {
    std::string node;
    std::string value; // that it clamps
};

struct Dequantized {
    EditList edits;
    std::size_t quantizers = 0; // taken out, dynamic ones included
    std::size_t weights = 0; // tensors that are floats again
    std::size_t operators = 0; // on codes, turned into ONNX's own
    std::vector<AddedClamp> clamps; // that quantizers had taken over, and that are nodes again
    std::vector<NotRecovered> kept; // nodes that stay as they are
};

/// A Relu or Relu6 that a tool left to the quantizer behind it is a node again (takenClamp).
/// Names of inputs, outputs and nodes stay; tensors get the names back that they had before they were codes, where
/// these can be told. What computes on codes and is not understood stays, with all that is connected with it by codes.
/// O(nodes + elements of codes).
/// @return Unsupported where names of values do not let a quantizer go, naming its node; MalformedModel for codes that
/// their scales do not fit
Result<Dequantized> dequantizeEdits(const Model& model);

} // namespace duo
