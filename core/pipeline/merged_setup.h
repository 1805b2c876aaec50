// SPDX-License-Identifier: Apache-2.0
// mergedSetup: quantizers that were taken from a file, and what other rules change of them.
#pragma once

#include "core/pipeline/snapshot/compression.h"

#include <set>
#include <string>
#include <vector>

namespace duo {

struct MergedSetup {
    QuantizerSetup setup;
    ParametersByPoint parameters; // of those that stay as they were
    std::set<PointId> made; // the others: under the rules there are now they are new, or of another type
    std::vector<std::string> gone; // where one was taken and none is now: "node 'x'"
};

/// What the rules leave as it was keeps its quantizer and its parameters, also where it moves along its value, and is
/// left out where it was left out; what stands beside the recipe stays as long as rules leave a reader of it. What is
/// for a node that stayed in float then and does not now is as the rules make it. Of a group of equal scales with a new
/// member all are made anew.
/// @param before the recipe that they were taken under, and @param now the one there is now, on the model that the
/// setup of `taken` is of, both with what stayed in float then. O(points log points + uses)
MergedSetup mergedSetup(const Snapshot& before, const Snapshot& now, const Compression& taken);

} // namespace duo
