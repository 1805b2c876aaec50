// SPDX-License-Identifier: Apache-2.0
// The address of a value: what tells it from all others, as node names do for nodes. In the main graph its name; in a
// control-flow body `<owner>::<attribute>::<name>`, for several bodies may use one name.
#pragma once

#include "core/model/model.h"

#include <string>
#include <string_view>

namespace duo {

/// By which Model::findValue finds it, unless it is inside a call of a local function.
std::string addressOf(const Model& model, ValueId id);

/// What stands before the names of a body's values: "if::then_branch::"; "" for the main graph and for calls.
std::string addressPrefix(const Model& model, RegionId region);

/// Makes Model::findValue find the values of bodies too. O(values of bodies).
void addAddressesOfBodiesInPlace(Model& model);

/// Whether a control-flow body gives the value to its owner. Such values count as outputs (Value::isOutput), for more
/// than their uses read them.
inline bool isBodyOutput(const Model& model, ValueId id)
{
    return model.value(id).isOutput && model.value(id).region != RegionId(0);
}

} // namespace duo
