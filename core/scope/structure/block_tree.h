// SPDX-License-Identifier: Apache-2.0
// BlockTree: the blocks a graph repeats, found from its wiring.
#pragma once

#include "core/scope/structure/work_sequence.h"

#include <cstdint>
#include <vector>

namespace duo {

/// A stretch of a WorkSequence.
struct Block {
    enum class Kind {
        Unit, // an operation with weights and what goes with it: Conv, BatchNormalization, Relu
        Group, // several in a row that come again elsewhere, or one copy of a repetition
        Run, // equal blocks one after the other, or side by side
    };
    Kind kind = Kind::Unit;
    std::uint32_t begin = 0; // places in the sequence
    std::uint32_t end = 0;
    std::uint64_t hash = 0; // equal for isomorphic blocks; how often a run inside repeats makes no difference
    std::vector<std::uint32_t> children; // in order; of a run its copies, none for a unit

    [[nodiscard]] std::uint32_t size() const { return end - begin; }
};

struct BlockTree {
    std::vector<Block> blocks;
    std::vector<std::uint32_t> top; // they cover the sequence
};

/// Units first; then what lies between a fork and its join wherever it comes again (residual blocks, branches); then
/// runs, from the shortest period, over and over: repetitions inside repetitions. All copies of a run are isomorphic:
/// same operators, same wiring inside, same reads from outside.
/// O(nodes log nodes + uses).
/// @param hasWeights [WorkSequence::nodes] reads a parameter
BlockTree findBlocks(const WorkSequence& sequence, const std::vector<bool>& hasWeights);

} // namespace duo
