// SPDX-License-Identifier: Apache-2.0
// Links and marks in words.
#pragma once

#include "views/trees/link_layout.h"
#include "views/trees/link_mark.h"

#include <QString>

namespace duo::ui {

/// What a link says: where its nodes run, whose parameters they read, and how the two are related. O(nodes).
QString linkText(const LinkSets& sets, const TreeContent& content, const Link& link);

/// What the mark of a row says.
QString markSentence(const TreeContent& content, const ScopeRow& row, const LinkMark& mark);

/// The signs of the gutter, one per line.
QString linkLegend();

} // namespace duo::ui
