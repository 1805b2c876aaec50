// SPDX-License-Identifier: Apache-2.0
// LayoutComposer: lays out each open scope by itself, innermost first, and puts the pieces together.
#pragma once

#include "core/graph/layout/layout.h"
#include "core/graph/view_graph.h"
#include "core/support/job.h"
#include "core/support/result.h"

#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace duo {

/// Room that an open box keeps around its content, px.
inline constexpr double kTitleBarHeight = 26;
inline constexpr double kFramePadding = 14;

/// A laid out view: absolute, px, y down, starting at (0, 0).
struct PictureLayout {
    struct Frame {
        Point topLeft;
        Size size;
        bool operator==(const Frame&) const = default;
    };
    Size size;
    std::vector<Frame> frames; // [ViewGraph::boxes]
    std::vector<std::vector<Point>> lines; // [ViewGraph::edges] polylines from box border to box border
    std::string engine; // "dot", "layered", "dot and layered"
    bool operator==(const PictureLayout&) const = default;
};

using LayoutEngine = std::function<Result<LayoutResult>(const LayoutInput&)>;

/// Size of a box; for an open one the least size of its title.
using BoxSizes = std::function<Size(const ViewBox&)>;

/// Keeps finished scope layouts, so equal scopes and scopes opened again cost nothing. For one thread at a time.
class LayoutComposer
{
public:
    /// @param tidy the engine for scopes of at most 300 items and 1,500 crossed rows (dot); may be empty. Where it is
    /// not asked, or fails, layeredLayout answers; a failure counts as answered until the composer goes.
    /// @param mostBytes bound of the kept layouts
    explicit LayoutComposer(LayoutEngine tidy, std::size_t mostBytes = std::size_t{32} << 20U);

    /// Time: one engine call per distinct open scope not laid out before; the rest O(boxes + edges * depth).
    /// @return Cancelled; Internal for sizes that checkLayoutInput refuses
    Result<PictureLayout> compose(const ViewGraph& view, const BoxSizes& sizes, const JobContext& job = {});

private:
    Result<LayoutResult> layout(const LayoutInput& input);

    LayoutEngine m_tidy;
    std::size_t m_mostBytes;
    std::size_t m_bytes = 0;
    std::unordered_map<std::string, LayoutResult> m_kept; // by encoded input
    std::deque<std::string> m_oldest; // keys in order of arrival
};

} // namespace duo
