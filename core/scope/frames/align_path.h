// SPDX-License-Identifier: Apache-2.0
// Which modules the outer components of a spelled scope stand for, given the innermost one.
#pragma once

#include "core/scope/facts/module_paths.h"
#include "core/scope/producers/scope_names.h"

#include <vector>

namespace duo {

/// The modules of the components of `spelling` but the last, outermost first; invalid from the first one outwards that
/// is no prefix of `module`: there somebody calls who does not contain it. Where several prefixes end alike, the calls
/// skip as few modules as possible, lists rather than others. O(components * depth^2).
std::vector<PathId> outerModules(
    const ScopeSpellings& spellings, const ModulePaths& paths, SpellingId spelling, PathId module);

} // namespace duo
