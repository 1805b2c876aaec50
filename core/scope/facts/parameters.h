// SPDX-License-Identifier: Apache-2.0
// Parameters: the state_dict keys that are known, and which of them each node reads.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/module_paths.h"
#include "core/scope/facts/scopes.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {

constexpr std::int32_t kNoKey = -1;

struct Key {
    std::string name; // as the model's own modules are called: "layer1.0.conv1.weight"
    std::string label; // as the checkpoint has it, "module.layer1.0.conv1.weight"; else the name
    PathId owner;
    std::int32_t first = kNoKey; // the first key of the same tensor: itself, unless this is an alias
    std::int32_t next = kNoKey; // the next key of the same tensor
    bool isRecorded = false; // listed by the exporter, not only a name that looks like a key
    bool isListed = false; // by the exporter or the checkpoint, in definition order
    bool isInitializer = false; // of the main graph: these are in definition order too
    std::optional<Provenance> readBy; // how the best read of it is known; nothing: no node reads it
    TensorId tensor; // held by the model under this very name; invalid if none is
    std::int32_t stored = kNoKey; // index into Checkpoint::tensors
};

/// One parameter that goes into a node, directly or through nodes that only change its layout, type or scale.
struct ParameterRead {
    std::int32_t key = kNoKey; // kNoKey: the parameter has lost its name
    PathId owner; // invalid: not known
    TensorId tensor; // what the file stores; invalid where only the exporter's record tells of the read
    Provenance from = Provenance::Name;
    bool isRenamed = false; // stored under another name, or transposed, or repacked
    bool isEqualValues = false; // the file keeps one tensor for this key and for another of equal values
    bool isFolded = false; // folded into, or together with, other parameters of the node
};

/// Asked with views, without making a string for the question.
struct KeyHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};

struct Parameters {
    std::vector<Key> keys; // definition order
    std::vector<std::vector<ParameterRead>> reads; // [Model::nodes], in port order, without repeats
    std::unordered_map<std::string, std::int32_t, KeyHash, std::equal_to<>> index; // name -> keys
    std::vector<bool> isLearned; // [Model::tensors] a parameter, with or without a key; the rest are constants
    std::vector<std::int32_t> keyOf; // [Model::tensors] -> keys: what it is called; kNoKey if that is no key
    std::vector<std::int32_t> ofStored; // [Checkpoint::keys] -> keys
    bool hasRecords = false; // the exporter recorded what operations read, folded ones included
    bool hasContent = false; // values were compared with those of a checkpoint

    [[nodiscard]] std::int32_t find(std::string_view name) const; // kNoKey if absent
    [[nodiscard]] const Key& key(std::int32_t k) const { return keys[static_cast<std::size_t>(k)]; }
    [[nodiscard]] Key& key(std::int32_t k) { return keys[static_cast<std::size_t>(k)]; }
    /// The first key of the tensor that `k` names; O(1) once chains are short.
    [[nodiscard]] std::int32_t firstOf(std::int32_t k) const;
    [[nodiscard]] bool hasSeveralKeys(std::int32_t k) const { return key(key(k).first).next != kNoKey; }
    /// From now on both name one tensor, whose first key is the one defined first.
    void join(std::int32_t a, std::int32_t b);
};

} // namespace duo
