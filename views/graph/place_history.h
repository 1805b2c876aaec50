// SPDX-License-Identifier: Apache-2.0
// PlaceHistory: where in the graph the user was, to go back and forward, also after boxes were opened and closed.
#pragma once

#include "views/graph/picture.h"

#include <QPointF>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace duo::ui {

/// A place in the graph that is found again in other pictures of the same model.
struct GraphPlace {
    std::optional<ViewBox> box; // what stood in the middle of the view; nothing: none did
    std::shared_ptr<const RunGraph> run; // that its ids are of; null: the model
    std::vector<NodeId> nodes; // of the model, that it stands for, the first few; else those it is next to
    ValueId value; // of the model, of an input, output or stub
    std::vector<std::string> around; // keys of the boxes it stands in, innermost first
    QPointF at; // of the middle, as a share of that box, or of the picture
    double zoom = 1;
    double scale = 1; // of what is drawn at that size there (Picture::scales)
    std::set<std::string> open; // keys of the boxes that were: of others the picture has other sides
    bool isWhole = false; // the whole picture was fitted: it is fitted again, whatever its size by then
};

GraphPlace placeOf(const Picture& picture, const QPointF& middle, double zoom);
/// The same, told by this box (or kNoBox) wherever it is.
GraphPlace placeOf(const Picture& picture, int box, const QPointF& middle, double zoom);
/// The box of a place, or the innermost around it that is there; kNoBox where none is known.
int boxOf(const Picture& picture, const GraphPlace& place);
/// Where the place is, px; that of the box around where the box is not shown any more.
QPointF pointOf(const Picture& picture, const GraphPlace& place);
/// What shows it as large as it was, be it drawn inside a closed box there or here.
double zoomOf(const Picture& picture, const GraphPlace& place);

class PlaceHistory
{
public:
    /// The view leaves this place for another one; what could be gone forward to is forgotten.
    void leave(const GraphPlace& place);
    /// @param now the place that is left
    std::optional<GraphPlace> back(const GraphPlace& now);
    std::optional<GraphPlace> forward(const GraphPlace& now);
    void clear();

private:
    static constexpr std::size_t kMostPlaces = 200;
    std::vector<GraphPlace> m_before;
    std::vector<GraphPlace> m_after;
};

} // namespace duo::ui
