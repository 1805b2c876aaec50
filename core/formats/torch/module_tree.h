// SPDX-License-Identifier: Apache-2.0
// Modules kept as objects in a pickle: walked in definition order, each path once.
#pragma once

#include "core/formats/torch/pickle.h"
#include "core/formats/torch/storage_tensors.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

/// One module object as its pickle describes it, without those parts that are None.
struct PickledModule {
    using Part = std::pair<std::string_view, PickleId>; // attribute and value
    std::string className;
    std::vector<Part> tensors; // parameters, then buffers that belong to the state dict
    std::vector<Part> children;
    std::shared_ptr<const ForwardOrder> forward = {}; // null: not known
};

/// The module a value stands for, or nothing.
using ModuleReader = std::function<std::optional<PickledModule>(PickleId)>;

/// A whole module of torch.save: an object whose state has _parameters, _buffers and _modules.
std::optional<PickledModule> readWholeModule(const Pickle& pickle, PickleId id);

/// Adds the key of one tensor, or a note if it is of a kind that is not read.
/// @return MalformedModel, or the errors of StorageTensors::addKey
Status addPickledTensor(
    const Pickle& pickle, PickleId id, const std::string& key, StorageTensors& tensors, CheckpointDraft& draft);

/// Adds the modules below `root` in preorder, with their keys in the order of PyTorch's state_dict; an object reached
/// again is the same module, and its keys are there for every path.
/// @return MalformedModel for modules nested more than 256 deep; errors of addPickledTensor and CheckpointDraft
Status addModules(
    const Pickle& pickle, PickleId root, const ModuleReader& read, StorageTensors& tensors, CheckpointDraft& draft);

} // namespace duo
