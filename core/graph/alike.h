// SPDX-License-Identifier: Apache-2.0
// Alike: neighbouring scopes with the same inside, and the containment in which they are folded: "layers.0–11 ×12"
// holds the first of them, and the others in one box.
#pragma once

#include "core/graph/containment.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace duo {

/// Containers that stand one after the other in a container, all with the same operators, attributes, shapes of
/// constants and wiring, whatever the order of nodes in the file.
struct AlikeRun {
    std::uint32_t parent = 0; // container
    std::vector<std::uint32_t> containers; // two or more
    std::string mark; // put into the set of open keys, it folds them
};

/// Runs inside one container, over all its pages where what else stands there has room without them. O(nodes inside *
/// log).
/// @param container or a page of it
std::vector<AlikeRun> alikeIn(const Model& model, const Containment& containment, std::uint32_t container);

/// Runs inside all containers. O(nodes * depth * log).
std::vector<AlikeRun> allAlike(const Model& model, const Containment& containment);

/// The mark of a fold that is open or closed in `containment` as withFolds made it; nothing if the key is of none.
std::optional<std::string> markOfFold(const std::string& key);

/// The key of the box that a mark folds a run into.
std::string foldOfMark(const std::string& mark);

/// Whether it is the box of the others in a fold, which stays closed unless it is asked for.
bool isRestOfFold(const std::string& key);

/// The marks among keys of open boxes.
std::set<std::string> foldMarks(const std::set<std::string>& open);

/// The containment with runs folded by marks among `open`; marks that fit nothing count for nothing. Containers keep
/// their numbers, new ones come last. O(containers + items).
Containment withFolds(Containment containment, const Scopes& scopes, const std::set<std::string>& open);

} // namespace duo
