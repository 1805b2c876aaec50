// SPDX-License-Identifier: Apache-2.0
// RunBadge: how planned nodes run in the engine, as an export's fusion probe found it, on boxes and in their tool tips.
#pragma once

#include "core/report/node_runs.h"
#include "views/graph/picture.h"

#include <QString>

#include <vector>

namespace duo::ui {

/// On a box: "int8" or "float" of a node, "7/8 int8" of a closed scope; no text: nothing in it was planned.
struct RunBadge {
    QString text;
    bool isWhole = true; // all of it runs in int8
};

/// [boxes] of the picture. Nothing for open boxes. O(boxes + nodes).
std::vector<RunBadge> runBadges(const RunsOfNodes& runs, const Picture& picture);

/// For the tool tip of a box: the sentence of a node; of a closed scope which of its nodes fell back, at most a few.
QString runText(const RunsOfNodes& runs, const Picture& picture, int box);

} // namespace duo::ui
