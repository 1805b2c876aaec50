// SPDX-License-Identifier: Apache-2.0
// Generated models of any size, for benchmarks.
#pragma once

#include <string>

namespace duo::bench {

/// A chain of residual blocks as an exporter would write it: `nodes` nodes (Conv, Relu, Conv, Add, Relu per block) with
/// scoped names, small weights of their own, value_info for every value. Serialized ModelProto.
std::string residualChain(int nodes);

/// The same chain, all blocks of which stand beside each other instead of in layers of 100.
std::string flatChain(int nodes);

/// The same chain with nothing in it that tells a scope: nodes without names, numbered values and weights.
std::string namelessChain(int nodes);

/// A ladder: each step reads the one before on two sides and adds them, which makes 2^steps paths of 3 * steps nodes
/// l<i>, r<i>, a<i>. Serialized ModelProto.
std::string diamondLadder(int steps);

} // namespace duo::bench
