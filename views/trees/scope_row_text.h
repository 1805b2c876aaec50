// SPDX-License-Identifier: Apache-2.0
// What the rows of a scope tree say: cells, tool tips, and the text a filter looks at.
#pragma once

#include "views/trees/tree_content.h"

#include <QString>

namespace duo::ui {

enum class ScopeColumn { Name, Differs, State, Nodes, Parameters, Bytes };

/// A guess ends in a question mark, in the column of names.
QString cellText(const TreeContent& content, const ScopeRow& row, ScopeColumn column);
/// What stands after the name, to be drawn quietly: the class of a module and its other path, the shape of a parameter.
QString quietText(const TreeContent& content, const ScopeRow& row);
QString rowToolTip(const TreeContent& content, const ScopeRow& row);

} // namespace duo::ui
