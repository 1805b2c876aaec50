// SPDX-License-Identifier: Apache-2.0
// LayoutComposer: lays out each open scope by itself, innermost first, and puts the pieces together.
#pragma once

#include "core/graph/layout/layout.h"
#include "core/graph/view_graph.h"
#include "core/support/job.h"
#include "core/support/result.h"

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

struct ViewLevels;

/// Room that an open box keeps around its content, px.
inline constexpr double kTitleBarHeight = 26;
inline constexpr double kFramePadding = 14;

/// Closed boxes that are read at a glance, from top to bottom.
inline constexpr std::size_t kMostStraight = 12;

/// What shape a picture should come near by wrapping what is too long, and by room between rows where that is not
/// enough; widths to heights, 0: nothing is wrapped.
struct PictureShape {
    double whole = 0;
    double inside = 0; // of each open box
    double spread = 1; // how much farther apart than usual rows stand
    std::size_t straight = kMostStraight; // closed boxes in an open one that is not wrapped, whatever `inside` says
    bool operator==(const PictureShape&) const = default;
};

/// A laid out view: absolute, px, y down, starting at (0, 0).
struct PictureLayout {
    struct Frame {
        Point topLeft;
        Size size;
        double titleLeft = 0; // open boxes: px from the left side; a title that begins there is crossed by no line
        bool operator==(const Frame&) const = default;
    };
    Size size;
    std::vector<Frame> frames; // [ViewGraph::boxes]
    std::vector<std::vector<Point>> lines; // [ViewGraph::edges] polylines from box border to box border
    std::string engine; // "layered", "dot" where its order of boxes was taken, "dot and layered"
    bool operator==(const PictureLayout&) const = default;
};

using LayoutEngine = std::function<Result<LayoutResult>(const LayoutInput&)>;

/// Size of a box; for an open one the least size of its title.
using BoxSizes = std::function<Size(const ViewBox&)>;

/// Keeps finished scope layouts, so equal scopes and scopes opened again cost nothing. For one thread at a time.
class LayoutComposer
{
public:
    /// @param tidy an engine (dot) that is asked for advice on scopes in which edges cross, of at most 300 items and
    /// 1,500 crossed rows; may be empty. layeredLayout draws all of them, in the order of boxes that has fewer
    /// crossings.
    /// @param mostBytes bound of the kept layouts
    explicit LayoutComposer(LayoutEngine tidy, std::size_t mostBytes = std::size_t{32} << 20U);

    /// Time: one engine call per distinct open scope not laid out before; the rest O(boxes + edges * depth).
    /// @return Cancelled; Internal for sizes and shapes that checkLayoutInput refuses
    Result<PictureLayout> compose(
        const ViewGraph& view, const BoxSizes& sizes, const JobContext& job = {}, const PictureShape& shape = {});

    /// The shape of open boxes with which a picture of this view fills a pane best; they are wrapped only where that
    /// makes the picture clearly larger in the pane, and rows stand closer together or farther apart only where it is
    /// too tall or too flat for the pane whatever is wrapped. A handful of pictures' time.
    /// @param aspect width to height of the pane, above 0
    Result<PictureShape> shapeFor(
        const ViewGraph& view, const BoxSizes& sizes, double aspect, const JobContext& job = {});

private:
    Result<PictureLayout> compose(const ViewGraph& view, const ViewLevels& cut, const BoxSizes& sizes,
        const JobContext& job, const PictureShape& shape);
    Result<LayoutResult> layout(const LayoutInput& input);
    [[nodiscard]] const LayoutResult* adviceFor(const LayoutInput& input);

    LayoutEngine m_tidy;
    std::size_t m_mostBytes;
    std::size_t m_bytes = 0;
    std::unordered_map<std::string, LayoutResult> m_kept; // by encoded input
    std::deque<std::string> m_oldest; // keys in order of arrival
    std::unordered_map<std::string, std::optional<LayoutResult>> m_advice; // by encoded input of no shape; none: failed
};

} // namespace duo
