// SPDX-License-Identifier: Apache-2.0
// Marks after somebody pointed at a module.
#pragma once

#include "core/marks/annotate.h"

#include <vector>

namespace duo {

/// A module that is marked is taken out: a mark of which it is the root goes, of others it is ignored. One that some
/// mark ignores is ignored no more; else a mark of it and of all below is added. O(marks * modules).
std::vector<Mark> withToggled(const ModuleTree& tree, const std::vector<Mark>& marks, std::uint32_t module);

} // namespace duo
