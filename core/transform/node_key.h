// SPDX-License-Identifier: Apache-2.0
// What tells nodes that compute the same from others, as text.
#pragma once

#include "core/model/model.h"

#include <string>

namespace duo {

/// Appends names and values of a node's attributes, in the order of the names: equal texts for equal attributes.
/// False where one holds what the model does not, a tensor or a body: then it equals no other.
bool addAttributes(std::string& key, const Node& node);

} // namespace duo
