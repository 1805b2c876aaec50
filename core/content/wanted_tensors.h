// SPDX-License-Identifier: Apache-2.0
// Wanted: the model as matching sees it: sets of equal tensors that want an owner, and what was found for them.
#pragma once

#include "core/content/content_matches.h"
#include "core/content/named_keys.h"
#include "core/content/read_tensors.h"
#include "core/content/stored_tensors.h"
#include "core/support/job.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace duo {

/// Keys of a batch norm that went into a tensor with others.
struct NormKeys {
    std::uint32_t norm = 0; // number of the batch norm, for telling that two tensors have the same
    std::vector<std::uint32_t> keys;
};

/// One way to make a tensor of the model from stored ones.
struct Derivation {
    MatchKind kind = MatchKind::Exact;
    MatchTransform transform;
    std::vector<std::uint32_t> parts; // sets of StoredTensors, in order; any tensor of a set fits
    std::vector<std::string> leaves; // [parts] what the key should be called in its module: "bias_ih_l0"; or empty
    /// Folded: batch norms that fit, in definition order; one if the values tell.
    std::vector<NormKeys> norms;
    /// Of a bias: the norm is that of the weight the same node reads; `parts` may be empty.
    bool followsWeight = false;
    bool tells = false; // the values leave no doubt but which tensor of each set it was
    std::string how; // evidence, before the keys: "rounded to float16 from"; "" for "equal to"
};

struct WantedSet {
    const Tensor* tensor = nullptr; // any of the set: they are equal
    std::vector<std::uint32_t> reads; // indices into Wanted::reads
    bool tells = false;
    std::vector<Derivation> found;

    [[nodiscard]] bool isSettled() const { return tells && !found.empty(); }
};

struct Wanted {
    std::vector<ReadTensor> reads;
    std::vector<std::uint32_t> setOf; // [reads]
    std::vector<WantedSet> sets; // in the order of their first reads
};

/// Everything a search step reads, and `wanted`, to whose sets it adds what it finds.
struct ContentSearch {
    const Model& model;
    const Checkpoint& checkpoint;
    const NamedKeys& names;
    const StoredTensors& stored;
    const JobContext& job;
    int threads;
    Wanted& wanted;
};

/// Tensors that may be parameters: floats, integers that a DequantizeLinear reads, other integers from kFewestTelling
/// elements on, and whatever has the name of a key. @return Cancelled
Result<Wanted> wantedTensors(const Model& model, const NamedKeys& names, const JobContext& job, int threads);

/// The names under which a tensor is read: its own, and those that an exporter's Identity gives it.
std::vector<std::string_view> namesOf(const Model& model, const ReadTensor& read);

} // namespace duo
