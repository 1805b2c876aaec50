// SPDX-License-Identifier: Apache-2.0
// nameEvidence: how surely a name is that of a parameter.
#pragma once

#include "core/model/key_names.h"
#include "core/scope/parameters/learned_tensors.h"

#include <string_view>

namespace duo {

/// PyTorch's exporters keep the names of parameters and number what they make themselves, so that most names are
/// telling; names of other producers tell only by a last part that parameters have.
NameSays nameEvidence(std::string_view name, Naming naming);

/// The same of a key that the grammar of another producer made of a name: operations, too, give constants their names.
NameSays keyEvidence(std::string_view key);

} // namespace duo
