// SPDX-License-Identifier: Apache-2.0
// ValueTypes: what is known of the types of a model's values beyond what its file says.
#pragma once

#include "core/model/model.h"

#include <optional>
#include <vector>

namespace duo {

struct ValueTypes {
    std::vector<ValueType> types; // [Model::values]; without a shape where nobody knows the rank
    std::optional<Error> problem; // why the engine could not be asked, where that was needed

    [[nodiscard]] const ValueType& of(ValueId value) const { return types[value.index]; }
};

} // namespace duo
