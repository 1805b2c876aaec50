// SPDX-License-Identifier: Apache-2.0
// ContentMatches: which checkpoint keys own each tensor that a model's nodes read, as values tell
// (resources/docs/content.md, "How a match comes about").
#pragma once

#include "core/model/checkpoint.h"
#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

/// How the values in the model come from those in the checkpoint; the dearest step counts where there are several.
enum class MatchKind {
    Name, // same name, same values
    Exact, // same shape and values under another name
    Reshaped, // same values in the same order, another shape
    Transposed, // the axes of a matrix exchanged
    Permuted, // axes exchanged, rank 3 or more (or after a reshape)
    Converted, // to another element type
    ReorderedGates, // of LSTM or GRU; directions stacked, the two biases concatenated
    Concatenated, // several keys side by side: fused query, key and value
    Slice, // a part of a key: fused in the checkpoint, apart in the model
    Gathered, // rows of a table picked by an index buffer
    WeightNorm, // g * v / |v|
    Folded, // a batch norm folded into the weight or bias before it
    Quantized, // integers that stand for the key's values, whatever else was done before
    Scaled, // the key's values times one number per output channel that no other key explains
};

/// What a match rests on.
enum class Certainty {
    Proof, // the values alone: no other key or combination of keys gives them
    Witnessed, // several keys have these values, or the values say too little; a second witness decided
    Guess, // a weak witness decided, such as the order of the readers
    Undecided, // nothing decides between the candidates
};

/// What was done to the values of the keys; only what applies to the kind is set.
struct MatchTransform {
    std::vector<int> axes; // axis of the key's tensor for each axis of the result, as Transpose's perm
    std::vector<int> gates; // block of the key's tensor for each block of the result: 0,3,1,2 for LSTM
    std::optional<int> axis; // Concatenated: of the model's tensor; Slice: of the key's
    std::int64_t offset = 0; // Slice: first index on `axis`
    double epsilon = 0; // Folded: of the batch norm; not stored in a checkpoint, found by trying
    int ulps = 0; // Folded, WeightNorm: largest distance of any element in units in the last place; 0 is bit-exact
    bool operator==(const MatchTransform&) const = default;
};

/// The owners of one tensor of the model as some of its readers use it. Exporters merge equal tensors, so two readers
/// of one tensor may read different keys: the matches of one tensor have disjoint readers.
struct ContentMatch {
    TensorId tensor;
    std::vector<NodeId> readers; // ascending; nodes that use the values, behind those that only change layout or type
    MatchKind kind = MatchKind::Exact;
    Certainty certainty = Certainty::Undecided;
    /// Indices into Checkpoint::keys. One, or all that were put together (conv.weight, bn.weight, bn.running_var):
    /// every one of them owns the tensor. Of tied keys the first. Empty if Undecided.
    std::vector<std::uint32_t> keys;
    /// Further keys of the same tensors (recorded ties), and keys of equal values that the model does not tell apart.
    std::vector<std::uint32_t> aliases;
    /// Owners besides `keys` that only their place makes likely: which of several equal batch norms was folded.
    std::vector<std::uint32_t> guessed;
    /// Guess and Undecided: every key that has these values, in definition order.
    std::vector<std::uint32_t> candidates;
    MatchTransform transform;
    std::vector<std::string> evidence; // sentences without a period: "equal to 'fc.weight' transposed, 65536 elements"
};

/// A name that stands in both files with values of which neither is made of the other.
struct UnequalName {
    TensorId tensor;
    std::uint32_t key = 0;
    bool operator==(const UnequalName&) const = default;
};

/// How many keys were found, and how. A key counts once, by its surest and then simplest match; aliases count with it.
struct ContentCoverage {
    std::int64_t keys = 0; // in the checkpoint
    std::int64_t found = 0;
    std::vector<std::pair<MatchKind, std::int64_t>> foundBy; // ascending, without zeros; the sum is `found`
    std::int64_t tensors = 0; // of the model, read by some node and large enough to be a parameter
    std::int64_t matched = 0; // of those, with an owner that is not Undecided
};

struct ContentMatches {
    std::vector<ContentMatch> matches; // ascending by tensor, then by first reader
    std::vector<UnequalName> unequalNames;
    std::string prefix; // of the checkpoint's keys, left out for comparing names: "module."; "" for most
    std::string modelPrefix; // what the model's names have before those of the keys; "" for most
    ContentCoverage coverage;

    /// Null if nothing is known of what `reader` reads. O(log matches + readers).
    [[nodiscard]] const ContentMatch* find(TensorId tensor, NodeId reader) const;
    [[nodiscard]] std::span<const ContentMatch> of(TensorId tensor) const;
};

/// What is known of the model's nodes before values are compared; second witnesses where values do not decide. Either
/// may be empty. Paths and names are the model's own: without the checkpoint's prefix.
struct ContentPriors {
    /// [Model::nodes] path of the module that runs there ("encoder.layer.0.attention"), "" for the root; nothing where
    /// it is not known or only guessed.
    std::vector<std::optional<std::string>> modules;
    /// [Model::nodes] state_dict keys that the exporter recorded as read there.
    std::vector<std::vector<std::string>> keys;
};

} // namespace duo
