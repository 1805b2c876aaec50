// SPDX-License-Identifier: Apache-2.0
// adoptEncodings: scales and ranges that another tool wrote, as setup and parameters of a model.
#pragma once

#include "core/interchange/foreign_encodings.h"
#include "core/interchange/found_quantizers.h"
#include "core/pipeline/snapshot/compression.h"

#include <cstddef>
#include <string>
#include <vector>

namespace duo {

struct AdoptedEncodings {
    Compression compression; // without corrections and statistics
    std::size_t used = 0; // entries that quantizers are made of
    std::vector<std::string> notExpressed; // entries without a counterpart here, a sentence each
    std::vector<std::string> biases; // tensors whose entries follow from data and weight here
    /// Values that the recipe quantizes and that have no entry: they stay in float; a converter would invent one.
    std::vector<std::string> without;
    std::vector<std::string> unused; // values whose ranges no quantizer takes
    std::vector<std::string> made; // weights without an entry, whose scales are made of the weights
};

/// Quantizers stand where the recipe of the snapshot puts them, as far as there are entries, and behind every other
/// value that has one. Ranges become scales as measured ones do, extremes as estimator.
/// @return BadData for a weight that has to be read and cannot be quantized; Unsupported where no entry is of this
/// model; Cancelled. O(nodes + entries + weights without an entry)
Result<AdoptedEncodings> adoptEncodings(
    const Snapshot& snapshot, const ForeignEncodings& encodings, int threads, const JobContext& job);

/// The quantizers of a compression, by tensor, as findQuantizers() gives those of a file. @param model that its setup
/// is of
FoundQuantizers quantizersOf(const Model& model, const Compression& compression);

} // namespace duo
