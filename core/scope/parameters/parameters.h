// SPDX-License-Identifier: Apache-2.0
// Parameters: the state_dict keys a file knows of, and which of them each node reads.
#pragma once

#include "core/model/model.h"
#include "core/scope/reading/module_paths.h"
#include "core/scope/scope.h"

#include <vector>

namespace duo {

constexpr std::int32_t kNoKey = -1;

struct Key {
    std::string name; // "layer1.0.conv1.weight"
    PathId owner;
    std::int32_t first = kNoKey; // the first key of the same tensor: itself, unless this is an alias
    bool isRecorded = false; // listed by the exporter, not only a name that looks like a key
    bool isRead = false; // by a node, by name or as recorded
    TensorId tensor; // stored under this very name; invalid if it is not in the file
};

/// One parameter that goes into a node, directly or through nodes that only change its layout, type or scale.
struct ParameterRead {
    std::int32_t key = kNoKey; // kNoKey: the parameter has lost its name
    PathId owner; // invalid: not known
    TensorId tensor; // what the file stores; invalid where only the exporter's record tells of the read
    Provenance from = Provenance::Name;
    bool isRenamed = false; // stored under another name, or transposed, or repacked
    bool isEqualValues = false; // the file keeps one tensor for this key and for another of equal values
    bool isFolded = false; // folded into the other parameters of the node
};

struct Parameters {
    std::vector<Key> keys; // definition order
    std::vector<std::vector<ParameterRead>> reads; // [Model::nodes], in port order, without repeats
    std::unordered_map<std::string, std::int32_t> index; // name -> keys
    bool hasRecords = false; // the exporter recorded what operations read, folded ones included

    [[nodiscard]] std::int32_t find(const std::string& name) const;
};

/// Keys from the recorded signature, from initializer names and from the exporter's Identity aliases; reads followed
/// from every node input back to initializers. O(nodes + uses).
Parameters readParameters(const Model& model, ModulePaths& paths);

} // namespace duo
