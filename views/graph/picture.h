// SPDX-License-Identifier: Apache-2.0
// Picture: a laid out view of the graph as values, and what lies where in it.
#pragma once

#include "core/graph/containment.h"
#include "core/graph/graph_form.h"
#include "core/graph/layout_composer.h"
#include "core/graph/view_graph.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "views/intent/selection.h"

#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace duo::ui {

struct Picture {
    std::shared_ptr<const Snapshot> snapshot;
    GraphForm form = GraphForm::Compressed;
    std::shared_ptr<const RunGraph>
        run; // the nodes of boxes are kernels of it, and values its values; null: of the snapshot's model
    std::shared_ptr<const Containment> containment; // of what is drawn
    std::set<std::string> open; // keys
    GraphForm openFor = GraphForm::Compressed; // the form that they were chosen, or arranged, for
    std::set<std::string> inside; // keys of closed boxes that hold what is inside them, drawn small (insides.h)
    ViewGraph graph;
    PictureLayout layout;
    PictureShape shape; // that the layout was made for
    QSizeF pane; // px that it was made to be seen in; empty: any
    std::vector<double> scales; // [boxes] natural size, in px of the picture; none: all 1
    bool hasQuantizerBoxes = false; // quantizers are boxes of their own, not badges

    static constexpr int kNoBox = -1;
    [[nodiscard]] DrawnGraph drawn() const;
    /// Its nodes are those of the same graph, whatever is said about them.
    [[nodiscard]] bool isOfSameNodes(const Picture& other) const { return run == other.run; }
    [[nodiscard]] QRectF frame(int box) const; // px
    [[nodiscard]] QRectF bounds() const;
    [[nodiscard]] double scale(int box) const { return scales.empty() ? 1 : scales[static_cast<std::size_t>(box)]; }
    [[nodiscard]] bool isInside(int box, int container) const; // or the container itself
    /// An edge between a closed box and one inside it: the rest of edges that come to it or leave it.
    [[nodiscard]] bool leadsOn(const ViewEdge& edge) const;
    /// The innermost box at a point, or kNoBox. O(boxes).
    [[nodiscard]] int boxAt(const QPointF& point) const;
    /// The line that is nearest to a point, at most `reach` px of the scene away; null: there is none. O(edges).
    [[nodiscard]] const ViewEdge* edgeAt(const QPointF& point, double reach) const;
    [[nodiscard]] int boxLike(const ViewBox& box) const; // that shows the same, of another picture of the model
    [[nodiscard]] int boxOfKey(const std::string& key) const; // open or closed; kNoBox if absent

    /// What clicking a box selects, always of the model: of a kernel the nodes it came from. A value stands for the
    /// nodes that make or read it, a quantizer for its readers.
    [[nodiscard]] Selection selectionOf(int box) const;
    /// Boxes to mark for a selection, ascending: the scope's own box where it is shown, else the boxes of its nodes.
    [[nodiscard]] std::vector<int> boxesOf(const Selection& selection) const;
    /// Keys of the boxes around the first of these nodes of the model that is drawn, outermost first.
    [[nodiscard]] std::vector<std::string> keysAround(const std::vector<NodeId>& nodes) const;
    /// It is the model before transforms.
    [[nodiscard]] bool isOpened() const { return run && run->isOpened(); }
    /// Of a node of the model before transforms, which nothing came from.
    [[nodiscard]] bool isGone(const ViewBox& box) const;
    /// The same for nodes of what is drawn: kernels, or nodes of the file.
    [[nodiscard]] std::vector<int> boxesOfDrawn(const std::vector<NodeId>& nodes) const;
    [[nodiscard]] std::vector<std::string> keysAroundDrawn(const std::vector<NodeId>& nodes) const;
    /// The value of the model that an edge or box is about; invalid where the engine made it.
    [[nodiscard]] ValueId valueInModel(ValueId drawn) const;

private:
    [[nodiscard]] std::vector<NodeId> drawnOf(const std::vector<NodeId>& nodes) const;
    [[nodiscard]] Selection selectDrawn(std::vector<NodeId> nodes) const;
    [[nodiscard]] Selection readersOf(int quantizer) const;
};

} // namespace duo::ui
