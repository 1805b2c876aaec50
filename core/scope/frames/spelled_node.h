// SPDX-License-Identifier: Apache-2.0
// SpelledNode: a node with its scope as spelled and the modules found for the components so far.
#pragma once

#include "core/scope/facts/module_paths.h"
#include "core/scope/producers/scope_names.h"

#include <span>
#include <vector>

namespace duo {

/// How the last component of a scope is read.
enum class Reading { Unknown, Literal, WithCallSuffix };

/// The entries of a list stand in canonical order.
struct SpelledNode {
    std::uint32_t node = 0; // index into Model::nodes
    SpellingId spelling;
    Reading reading = Reading::Unknown;
    bool isGuess = false; // the other reading may be right as well
    bool isConstant = false; // holds a tensor and does nothing
    std::int32_t kind = -1; // equal for nodes of one op type
    std::vector<PathId> owners; // of the parameters it reads
    std::span<PathId> modules; // per component, in the pool of all; invalid: not known yet
};

/// The module of the innermost frame that the owners of a scope's parameters speak for.
void findLastModules(const ScopeSpellings& spellings, const ModulePaths& paths, std::vector<SpelledNode>& nodes);

/// The modules of the outer frames, as far as they contain the inner ones.
void findOuterModules(const ScopeSpellings& spellings, const ModulePaths& paths, std::vector<SpelledNode>& nodes);

/// Everything left, from the outermost frame inwards: from scopes of the same spelling, else as a child of the caller.
/// A number at the end of a scope without parameters is that of a call where the scope without the number does the
/// same.
void fillModules(ScopeSpellings& spellings, ModulePaths& paths, std::vector<SpelledNode>& nodes);

} // namespace duo
