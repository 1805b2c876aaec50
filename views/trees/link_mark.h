// SPDX-License-Identifier: Apache-2.0
// LinkMark: what the gutter shows at the end of one row: that it has no counterpart, or more than one.
#pragma once

#include "views/trees/tree_content.h"

#include <QString>

namespace duo::ui {

struct LinkMark {
    enum class Kind {
        None,
        NoStorage, // execution: nothing here reads parameters
        Several, // execution: one node, parameters of several modules
        Shared, // storage: one module, several calls
        NeverExecuted, // storage: nothing reads it
        PartlyNeverExecuted, // storage, closed: some modules below never run
    };
    Kind kind = Kind::None;
    std::int64_t count = 0; // of modules (Several, PartlyNeverExecuted) or calls (Shared)
    bool operator==(const LinkMark&) const = default;
};

/// @param isOpen its children are shown and carry their own marks
LinkMark markOf(const TreeContent& content, const ScopeRow& row, bool isOpen);

/// "2:1" (storage : execution), "1:3", "✕ 2"; empty for marks that are drawn as a sign.
QString markText(const LinkMark& mark);

} // namespace duo::ui
