// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs of a model in floats of another width: of 16 bits, beside nodes that compute in them (halve.h), or
// of as many as those of another model.
#pragma once

#include "core/transform/edit_list.h"

#include <string>
#include <utility>
#include <vector>

namespace duo {

struct HalvedPorts {
    EditList edits;
    std::vector<std::pair<ValueId, std::string>> floats; // inputs and outputs that stay as they are, and why
};

/// Inputs and outputs of the main graph get the types that are wanted, as halvePorts() does it. O(nodes + reads)
/// @param wanted [values] floats of the width that an input or output is to have; Undefined: it stays
HalvedPorts retypePorts(
    const Model& model, const std::vector<ElementType>& wanted, const std::vector<std::string>& whyNot);

/// Float inputs and outputs of the main graph get 16 bits. Who reads an input in 32 bits, or gives an output so, has a
/// cast beside it from then on; a cast to 16 bits behind an input goes, and one from them before an output that nobody
/// else reads. What is an input and an output, or has its name in a function or a body, stays.
/// @param type Float16 or BFloat16
/// @param whyNot [values] why an input or output cannot be of 16 bits, "": it can. O(nodes + reads)
HalvedPorts halvePorts(const Model& model, ElementType type, const std::vector<std::string>& whyNot);

} // namespace duo
