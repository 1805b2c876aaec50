// SPDX-License-Identifier: Apache-2.0
// ShownOverlay: the overlay that trees and graph are coloured by.
#pragma once

#include "core/graph/overlay.h"

#include <memory>
#include <optional>

namespace duo::ui {

struct ShownOverlay {
    OverlayKind kind = OverlayKind::Decision;
    std::optional<Overlay> values; // nothing: what it takes was not measured yet
    std::shared_ptr<const Scopes> scopes; // that the values are of

    /// Its values have a column, and colours of their own in the graph: those of decisions are there anyway.
    [[nodiscard]] bool hasColumn() const { return values && kind != OverlayKind::Decision; }
};

} // namespace duo::ui
