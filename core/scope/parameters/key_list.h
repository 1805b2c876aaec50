// SPDX-License-Identifier: Apache-2.0
// The state_dict keys that a model and its checkpoint know of.
#pragma once

#include "core/scope/facts/parameters.h"
#include "core/scope/facts/sources.h"
#include "core/scope/producers/producer_names.h"

#include <string>
#include <unordered_map>

namespace duo {

/// Keys by the placeholders that torch.export gives them: "p_fc_weight".
using Placeholders = std::unordered_map<std::string, std::int32_t>;

/// Fills all of `parameters` but the reads, best list first: recorded in the model, recorded in the signature of the
/// exported program, stored in the checkpoint, names of learned tensors. Ties that a list records are joined. `names`
/// tells keys from names that are none as they stand. O(nodes + uses + keys).
Placeholders listKeys(const Model& model, const ScopeSources& sources, const ProducerNames& names, ModulePaths& paths,
    Parameters& parameters);

} // namespace duo
