// SPDX-License-Identifier: Apache-2.0
// The passes of stages Common and Target. Each is O(nodes + reads of values), changes nodes of the main graph and of
// bodies but none inside local functions, keeps inputs and outputs of the model with their names, and gives the same
// outputs: bit for bit where its row says so, else to rounding.
#pragma once

#include "core/transform/pass.h"

namespace duo {

/// Initializers of files below IR version 4 are no inputs any more, which they had to be.
PassResult freeInitializers(const PassScene& scene);
PassResult moveConstants(const PassScene& scene);
/// What computes shapes, as far as these are known: constants, or 0 and -1 in the shape of a Reshape.
PassResult simplifyShapes(const PassScene& scene);
/// The branch that an If with a constant condition takes stands in its place, with Identity nodes for its outputs; of a
/// Loop that never runs these alone.
PassResult takeBranches(const PassScene& scene);
/// What of `constants` is there goes in as an initializer of the name it had.
PassResult foldConstants(const PassScene& scene);
PassResult removeIdentities(const PassScene& scene);
PassResult removeDropouts(const PassScene& scene);
/// Casts to the type there is, transposes in the order there is, joins of one part, a factor of one, and such.
PassResult removeNoOps(const PassScene& scene);
/// What keeps the size, and an Expand all of whose readers spread what it reads themselves.
PassResult removeSameSize(const PassScene& scene);
PassResult joinTransposes(const PassScene& scene);
/// What transposes around operators that work element by element turn one way and back stays as it was.
PassResult sinkTransposes(const PassScene& scene);
/// Of constant slices behind each other that cut along different axes one is left.
PassResult joinSlices(const PassScene& scene);
PassResult joinReshapes(const PassScene& scene);
/// Of Squeeze and Unsqueeze behind each other one is left, or none.
PassResult joinSqueezes(const PassScene& scene);
/// Nodes of one operator with the same inputs and attributes; not those that draw random numbers, quantizers, and
/// those with bodies.
PassResult joinDuplicates(const PassScene& scene);
/// BatchNormalization becomes a part of the Conv, ConvTranspose, Gemm or MatMul before it, or of the Conv, Gemm or
/// MatMul behind it.
PassResult joinBatchNorms(const PassScene& scene);
/// Activations written as several operators become one, where the opset has it: HardSwish 14, Mish 18, Gelu 20.
PassResult joinActivations(const PassScene& scene);
/// The same of normalizations over the last axis: LayerNormalization 17, RMSNormalization 23.
PassResult joinNorms(const PassScene& scene);
/// What a Pad puts around the input of a Conv, AveragePool or MaxPool becomes its pads.
PassResult joinPads(const PassScene& scene);
/// A constant vector added to a MatMul of matrices makes it a Gemm.
PassResult joinBiases(const PassScene& scene);
/// A constant that is added to the channels of a Conv or ConvTranspose becomes its bias.
PassResult joinChannelBiases(const PassScene& scene);
/// Quantizers that give the same become one; a Relu or Clip before one that clamps to no more goes.
PassResult joinQuantizers(const PassScene& scene);
/// Attention written as products and a Softmax becomes one, from opset 23 on.
PassResult joinAttention(const PassScene& scene);
/// GroupNormalization written around an InstanceNormalization becomes one, from opset 21 on.
PassResult joinGroupNorms(const PassScene& scene);
/// One operator written as several of the same opset, in its scope; the last one has its name.
PassResult splitGemms(const PassScene& scene);
PassResult splitAttention(const PassScene& scene);
PassResult splitNorms(const PassScene& scene);
PassResult splitActivations(const PassScene& scene);
PassResult removeDeadCode(const PassScene& scene);

} // namespace duo
