// SPDX-License-Identifier: Apache-2.0
// importSetup: quantizers that are written down in a file, whoever wrote it, on an opened model; before anything is
// exported.
#pragma once

#include "core/interchange/encodings.h"
#include "core/pipeline/resume.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace duo {

struct ImportedSetup {
    Resumed resumed; // its notes: what differs, was left out or has no counterpart, a sentence each
    std::string form; // "state", "nncf-setup", or that of the encodings ("aimet-1.0.0", "quantized-model")
    std::size_t entries = 0; // of the file
    std::size_t used = 0; // of them: quantizers are made of
    std::vector<std::string> without; // values that the recipe quantizes and the file does not: they stay in float
    std::vector<std::string> made; // weights whose scales are made of the weights, for the file has none
    std::vector<std::string> biases; // tensors whose entries follow from data and weight here
    std::vector<TensorRange> ranges; // of the file, as they stand there, of values of the model
    std::vector<std::string> unused; // values of these that no quantizer stands at
};

struct ImportOptions {
    std::shared_ptr<const StatisticsFile> statistics = {}; // of the snapshot's model, for a setup without scales
    int threads = 1; // the result does not depend on it
    bool isStrict = false; // refuses where anything differs or is left out
};

/// A compression state, a quantizer setup or compression state of NNCF, encodings (foreign_encodings.h), or a
/// quantized model of the float model that is open, told by content. Of a state its own recipe holds, of all others
/// that of the snapshot.
/// @param snapshot of a state: as it was opened, under no recipe @return BadState for a state, BadData for what others
/// wrote, naming the entry, and for anything that a strict reading does not take; Usage for a setup without scales
/// where no statistics are given; errors of resumeFrom, adoptEncodings and compressionFrom
Result<ImportedSetup> importSetup(
    const Snapshot& snapshot, const std::filesystem::path& path, const ImportOptions& options, const JobContext& job);

/// Whether a file that is no state of ours looks like quantizers of another tool, from its beginning. A model does not.
bool looksLikeForeignSetup(const std::filesystem::path& path);

} // namespace duo
