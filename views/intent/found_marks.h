// SPDX-License-Identifier: Apache-2.0
// FoundMarks: what a search has found, and which of it one stands at; marked in the trees and the graph alike.
#pragma once

#include "core/search/find_things.h"
#include "views/intent/selection.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace duo::ui {

struct FoundMarks {
    std::shared_ptr<const Found> found; // not null, not empty
    std::shared_ptr<const Scopes> scopes; // that it is of
    std::size_t current = 0; // index of Found::things; past them: of Found::gone

    [[nodiscard]] const FoundThing* thing() const; // one stands at; null: at a node that went
    [[nodiscard]] NodeId gone() const; // of the file, one stands at; invalid: at a thing of the model
};

/// What a thing that was found selects.
Selection selectionOf(const FoundThing& thing, const Scopes& scopes);
/// All of it together: nodes, and those of scopes and below. O(nodes).
Selection selectionOf(const Found& found, const Scopes& scopes);
/// For each thing a node that shows where it is; none for what has no nodes. O(things).
std::vector<NodeId> nodesStandingFor(const FoundMarks& marks);

} // namespace duo::ui
