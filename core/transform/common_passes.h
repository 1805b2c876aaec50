// SPDX-License-Identifier: Apache-2.0
// The passes of stage Common. Each is O(nodes + reads of values), changes nodes of the main graph and of bodies but
// none inside local functions, keeps inputs and outputs of the model with their names, and gives the same outputs bit
// for bit.
#pragma once

#include "core/transform/pass.h"

namespace duo {

PassResult moveConstants(const PassScene& scene);
PassResult removeIdentities(const PassScene& scene);
PassResult removeDropouts(const PassScene& scene);
/// Casts to the type there is, transposes in the order there is, joins of one part, a factor of one, and such.
PassResult removeNoOps(const PassScene& scene);
PassResult removeSameSize(const PassScene& scene);
PassResult joinTransposes(const PassScene& scene);
PassResult joinReshapes(const PassScene& scene);
/// Nodes of one operator with the same inputs and attributes; not those that draw random numbers, quantizers, and
/// those with bodies.
PassResult joinDuplicates(const PassScene& scene);
PassResult removeDeadCode(const PassScene& scene);

} // namespace duo
