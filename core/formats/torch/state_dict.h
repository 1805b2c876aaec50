// SPDX-License-Identifier: Apache-2.0
// Which part of a torch.save pickle is the checkpoint: the top level, or an entry of a training checkpoint.
#pragma once

#include "core/formats/torch/pickle.h"

#include <optional>
#include <string>

namespace duo {

struct FoundState {
    PickleId id = kNoPickle; // a dict with tensors, or a module
    bool isModule = false;
    std::string entry; // "model/state_dict"; "" is the top level
};

/// Modules and entries with usual names (state_dict, model, ema, ...) come before tensors beside them; without such,
/// the dict with the most tensors counts, the first of equals. At most four dicts deep.
std::optional<FoundState> findState(const Pickle& pickle);

} // namespace duo
