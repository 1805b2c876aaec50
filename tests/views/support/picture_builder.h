// SPDX-License-Identifier: Apache-2.0
// Pictures for tests: laid out by the layered engine, without Graphviz.
#pragma once

#include "views/graph/picture.h"

namespace duo::test {

std::shared_ptr<const ui::Picture> makePicture(
    const std::shared_ptr<const Snapshot>& snapshot, const std::set<std::string>& open);

/// Of exampleSnapshot(): in each block Gemm and Relu run as one kernel, "FusedGemm", the others as they are.
std::shared_ptr<const RunGraph> exampleRun(const Snapshot& snapshot);

/// The model as it is run.
std::shared_ptr<const ui::Picture> makeRunPicture(const std::shared_ptr<const Snapshot>& snapshot,
    const std::shared_ptr<const RunGraph>& run, const std::set<std::string>& open);

/// The same picture with what is inside closed boxes of these keys.
std::shared_ptr<const ui::Picture> withInsides(const ui::Picture& picture, const std::set<std::string>& keys);

/// The box that shows a node: itself, or the closed box it is in; kNoBox if it is not drawn.
inline int boxOfNode(const ui::Picture& picture, NodeId node)
{
    const std::vector<int> boxes = picture.boxesOf(ui::selectNode(node));
    return boxes.empty() ? ui::Picture::kNoBox : boxes.front();
}

} // namespace duo::test
