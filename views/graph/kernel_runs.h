// SPDX-License-Identifier: Apache-2.0
// KernelRuns: how the planned nodes run in the engine, as an export's fusion probe found it, and the badges it makes.
#pragma once

#include "core/report/node_runs.h"
#include "views/graph/picture.h"

#include <QString>

#include <memory>
#include <vector>

namespace duo::ui {

/// By the names of nodes.
class KernelRuns
{
public:
    /// @param known null: nothing is
    KernelRuns(std::shared_ptr<const NodeRuns> known, const Model& model);
    [[nodiscard]] bool isEmpty() const { return m_ofNode.empty(); }
    [[nodiscard]] const NodeRun* of(NodeId node) const; // null: it was not planned

private:
    std::shared_ptr<const NodeRuns> m_known;
    std::vector<const NodeRun*> m_ofNode; // [nodes of the model]
};

/// On a box: "int8" or "float" of a node, "7/8 int8" of a closed scope; no text: nothing in it was planned.
struct RunBadge {
    QString text;
    bool isWhole = true; // all of it runs in int8
};

/// [boxes] of the picture. Nothing for open boxes. O(boxes + nodes).
std::vector<RunBadge> runBadges(const KernelRuns& runs, const Picture& picture);

/// For the tool tip of a box: the sentence of a node; of a closed scope which of its nodes fell back, at most a few.
QString runText(const KernelRuns& runs, const Picture& picture, int box);

} // namespace duo::ui
